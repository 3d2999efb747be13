import type { Result } from "../../api";
import { Icon, type IconName, Panel } from "../../components";
import { sentence } from "../../lib/readiness";

type Why = Result<"skills.why">;

const OUTCOMES: Record<Why["steps"][number]["outcome"], { icon: IconName; text: string }> = {
  pass: { icon: "check", text: "passed" },
  fail: { icon: "cross", text: "stopped it" },
  skip: { icon: "forward", text: "did not apply" },
};

/** Every rule that decided, in order. */
export function WhyPanel({ why }: { why: Why }) {
  return (
    <Panel title="Why">
      <p>
        <strong>{sentence(why.fate)}.</strong>
      </p>
      <ol className="why">
        {why.steps.map((step, index) => (
          <li key={index} className={step.outcome}>
            <Icon name={OUTCOMES[step.outcome].icon} size={14} />
            <div>
              <span className="rule">
                {step.stage} · {step.rule}
                <span className="hidden-text"> {OUTCOMES[step.outcome].text}</span>
              </span>
              <span>{step.detail.replaceAll("`", "")}</span>
            </div>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
