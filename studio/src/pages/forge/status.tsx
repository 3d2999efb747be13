import type { Result } from "../../api";
import { Chip, type ChipLook, type IconName } from "../../components";

export type Status = Result<"forge.list">["drafts"][number]["status"];

const LOOKS: Record<Status, { look: ChipLook; icon: IconName; text: string }> = {
  waiting: { look: "setup", icon: "sessions", text: "Pending" },
  promoted: { look: "ready", icon: "check", text: "Promoted" },
  "rolled-back": { look: "plain", icon: "back", text: "Rolled back" },
  rejected: { look: "unsupported", icon: "cross", text: "Rejected" },
  retired: { look: "off", icon: "power", text: "Retired" },
};

/** The state of a draft. */
export function StatusChip({ status }: { status: Status }) {
  const { look, icon, text } = LOOKS[status];
  return (
    <Chip look={look} icon={icon}>
      {text}
    </Chip>
  );
}
