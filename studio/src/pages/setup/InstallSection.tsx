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
  const obstacle = plan.data && objection(plan.data);
  return (
    <section className="install">
      <h3>{option.label}</h3>
      {plan.isPending && <p className="quiet">Asking what would be run</p>}
      {plan.error && (
        <ErrorNote what="It is not known what would be run" error={plan.error} retry={() => plan.refetch()} />
      )}
      {plan.data && <Steps plan={plan.data} />}
      {obstacle && <Note kind="warning">{obstacle}</Note>}
      {plan.data && !mine && !obstacle && (
        <div className="actions">
          <Button look="primary" disabled={running} onClick={() => void runInstall(skill.name, option)}>
            Run this
          </Button>
          <span className="quiet">It runs on the gateway's machine, for all agents.</span>
        </div>
      )}
      {mine && <Progress skill={skill} option={option} install={mine} />}
    </section>
  );
}

function objection(plan: Plan): string | undefined {
  if (plan.admission.decision === "block") return `Install blocked: ${plan.admission.warnings.join("; ")}`;
  return plan.obstacle ?? undefined;
}

function Steps({ plan }: { plan: Plan }) {
  const lines = plan.steps.map((step) => stepText(step));
  const warnings = [...plan.warnings, ...(plan.admission.decision === "warn" ? plan.admission.warnings : [])];
  return (
    <>
      {lines.length > 0 && (
        <div className="command">
          <Output label="What is run" text={lines.join("\n")} />
          <CopyButton text={lines.join("\n")} />
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

/** A step as it would be typed. */
export function stepText(step: Plan["steps"][number]): string {
  if (step.type === "download") return `download ${step.url}`;
  const variables = (step.env ?? []).map(([name, value]) => `${name}=${quoted(value)}`);
  return [...variables, ...step.argv.map(quoted)].join(" ");
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
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
