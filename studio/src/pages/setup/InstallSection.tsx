import { useState } from "react";
import { errorText, type InstallOption, type Result, type SkillStatus, useCall } from "../../api";
import { Button, CopyButton, ErrorNote, Note, Output } from "../../components";
import { cancelInstall, forgetInstall, type Install, runInstall, useInstall } from "./installs";

type Plan = Result<"skills.install.plan">;

/** One way to get what is missing: what exactly would be run, then its output while it runs, then how it ended. */
export function InstallSection({ skill, option }: { skill: SkillStatus; option: InstallOption }) {
  const plan = useCall("skills.install.plan", { name: skill.name, installId: option.id });
  const install = useInstall(skill.name);
  const mine = install?.option.id === option.id ? install : undefined;
  const running = install?.phase === "running";
  const objection = plan.data?.objection;
  return (
    <section className="install">
      <h3>{option.label}</h3>
      {plan.isPending && <p className="quiet">Loading the plan</p>}
      {plan.error && (
        <ErrorNote what="The plan could not be loaded" error={plan.error} retry={() => plan.refetch()} />
      )}
      {plan.data && <Steps plan={plan.data} />}
      {objection && <Note kind="warning">{objection}</Note>}
      {plan.data && !mine && !objection && (
        <div className="actions">
          <Button look="primary" disabled={running} onClick={() => void runInstall(skill.name, option)}>
            Run this
          </Button>
          <span className="quiet">
            On the gateway's machine, for the skills of {plan.data.target.workspace}.
          </span>
        </div>
      )}
      {mine && <Progress skill={skill} option={option} install={mine} />}
    </section>
  );
}

function Steps({ plan }: { plan: Plan }) {
  const commands = plan.commands.join("\n");
  const warnings = [...plan.warnings, ...(plan.admission.decision === "warn" ? plan.admission.warnings : [])];
  return (
    <>
      {commands && (
        <div className="command">
          <Output label="Commands" text={commands} />
          <CopyButton text={commands} />
        </div>
      )}
      {[...new Set(warnings)].map((warning) => (
        <Note key={warning} kind="warning">
          {warning}
        </Note>
      ))}
    </>
  );
}

function Progress(props: { skill: SkillStatus; option: InstallOption; install: Install }) {
  const { skill, option, install } = props;
  const [cancelError, setCancelError] = useState<unknown>();
  return (
    <>
      {install.phase === "running" && (
        <div className="actions" role="status">
          <span className="spinner" aria-hidden="true" /> Running
          <Button size="small" onClick={() => cancelInstall(skill.name).catch(setCancelError)}>
            Cancel
          </Button>
          {cancelError !== undefined && <span>{errorText(cancelError)}</span>}
        </div>
      )}
      {install.output && <Output label="Output" text={install.output} follow />}
      {install.warnings.map((warning) => (
        <Note key={warning} kind="warning">
          {warning}
        </Note>
      ))}
      {install.phase === "done" && <Note kind="success">{install.message}</Note>}
      {install.phase === "failed" && (
        <ErrorNote
          what="The install failed"
          error={new Error(install.message)}
          retry={() => void runInstall(skill.name, option)}
          dismiss={() => forgetInstall(skill.name)}
        />
      )}
    </>
  );
}
