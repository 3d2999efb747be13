import { useState } from "react";
import { connection, type Result, useCall, useChange } from "../../api";
import { Button, Chip, Confirm, Empty, ErrorNote, Note, Panel, QueryState } from "../../components";
import { fromNow, momentText } from "../../lib/text";

type Devices = Result<"device.pair.list">;
type Waiting = Devices["pending"][number];
type Known = Devices["paired"][number];

/** Browsers and other clients that the gateway knows, and those that wait for approval. */
export function Devices() {
  const answer = useCall("device.pair.list", {});
  if (!answer.data)
    return (
      <QueryState of={answer} what="The devices could not be listed" loading="Loading the devices" rows={3} />
    );
  const { pending, paired } = answer.data;
  return (
    <>
      <Panel title="Pending" flush>
        {pending.length === 0 ? (
          <Empty icon="check" title="No pending devices">
            A browser on another machine waits here until you approve it.
          </Empty>
        ) : (
          <ul className="rows" aria-label="Pending devices">
            {pending.map((device) => (
              <WaitingRow key={device.requestId} device={device} />
            ))}
          </ul>
        )}
      </Panel>
      <Panel title="Known" flush>
        {paired.length === 0 ? (
          <Empty title="No approved devices" />
        ) : (
          <ul className="rows" aria-label="Approved devices">
            {paired.map((device) => (
              <KnownRow key={device.deviceId} device={device} />
            ))}
          </ul>
        )}
      </Panel>
    </>
  );
}

function nameOf(device: Waiting | Known): string {
  return device.displayName || `${device.clientId} ${device.deviceId.slice(0, 8)}`;
}

function WaitingRow({ device }: { device: Waiting }) {
  const again = { refresh: ["device.pair.list" as const] };
  const approve = useChange("device.pair.approve", again);
  const reject = useChange("device.pair.reject", again);
  const name = nameOf(device);
  const { requestId } = device;
  return (
    <li className="tool-row">
      <div>
        <div className="skill-title">
          <strong>{name}</strong>
          {device.isRepair && <Chip look="setup">Already approved, requests more access</Chip>}
        </div>
        <p className="quiet">
          {[device.platform, device.remoteIp && `from ${device.remoteIp}`, `asked ${fromNow(device.ts)}`]
            .filter(Boolean)
            .join(" · ")}
        </p>
        <p className="quiet">It would be allowed: {device.scopes.join(", ") || "nothing"}</p>
        <p className="quiet">
          <code title="Its key, as a hash">{device.deviceId}</code>
        </p>
        {approve.error && (
          <ErrorNote what={`${name} was not approved`} error={approve.error} dismiss={approve.reset} />
        )}
        {reject.error && (
          <ErrorNote what={`${name} was not rejected`} error={reject.error} dismiss={reject.reset} />
        )}
      </div>
      <div className="actions">
        <Button
          size="small"
          look="primary"
          aria-label={`Approve ${name}`}
          busy={approve.isPending}
          onClick={() => approve.mutate({ requestId })}
        >
          Approve
        </Button>
        <Button
          size="small"
          look="danger"
          aria-label={`Reject ${name}`}
          busy={reject.isPending}
          onClick={() => reject.mutate({ requestId })}
        >
          Reject
        </Button>
      </div>
    </li>
  );
}

function KnownRow({ device }: { device: Known }) {
  const [asks, setAsks] = useState(false);
  const remove = useChange("device.pair.remove", {
    refresh: ["device.pair.list"],
    onSuccess: () => setAsks(false),
  });
  const name = nameOf(device);
  const isOwn = device.deviceId === connection.deviceId;
  return (
    <li className="tool-row">
      <div>
        <div className="skill-title">
          <strong>{name}</strong>
          {isOwn && <Chip look="accent">This browser</Chip>}
        </div>
        <p className="quiet">
          {[device.platform, `approved ${fromNow(device.pairedAtMs)}`].filter(Boolean).join(" · ")}
          <span className="hidden-text"> ({momentText(device.pairedAtMs)})</span>
        </p>
        <p className="quiet">
          <code title="Its key, as a hash">{device.deviceId}</code>
        </p>
      </div>
      <Button size="small" look="danger" aria-label={`Remove ${name}`} onClick={() => setAsks(true)}>
        Remove
      </Button>
      {asks && (
        <Confirm
          title={`Remove ${name}?`}
          action="Remove it"
          danger
          busy={remove.isPending}
          onClose={() => setAsks(false)}
          onConfirm={() => remove.mutate({ deviceId: device.deviceId })}
        >
          <p>Its connections end at once, and it must be approved again.</p>
          {isOwn && <Note kind="warning">This is the browser that you use now.</Note>}
          {remove.error && <ErrorNote what={`${name} was not removed`} error={remove.error} />}
        </Confirm>
      )}
    </li>
  );
}
