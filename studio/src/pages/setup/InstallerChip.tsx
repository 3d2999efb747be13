import { type InstallOption, type SkillStatus, useCall } from "../../api";
import { Chip } from "../../components";

/** Says that an installer can be run, if one of the options has a button: the plan is the one that the dialog shows. */
export function InstallerChip({ skill, options }: { skill: SkillStatus; options: InstallOption[] }) {
  const [option, ...others] = options;
  if (!option) return null;
  return <OptionChip skill={skill} option={option} others={others} />;
}

function OptionChip(props: { skill: SkillStatus; option: InstallOption; others: InstallOption[] }) {
  const { skill, option, others } = props;
  const plan = useCall("skills.install.plan", { name: skill.name, installId: option.id }, { retry: false });
  if (plan.data && !plan.data.objection) return <Chip look="accent">Installer offered</Chip>;
  if (plan.isPending) return null;
  return <InstallerChip skill={skill} options={others} />;
}
