// Installs that run or ran, by skill. They go on when the dialog is closed; whoever looks sees the same.

import { useSyncExternalStore } from "react";
import { call, connection, errorText, GatewayError, type InstallOption, refresh } from "../../api";

export interface Install {
  option: InstallOption;
  phase: "running" | "done" | "failed";
  /** How it ended, in a line. */
  message: string;
  /** What came out so far. */
  output: string;
  warnings: readonly string[];
}

const installs = new Map<string, Install>();
const listeners = new Set<() => void>();
/** More of the output is not kept. */
const MOST_OUTPUT = 200_000;
/** The same time that other clients give an installer. */
const TIMEOUT_MS = 300_000;

function set(name: string, install: Install | undefined): void {
  if (install) installs.set(name, install);
  else installs.delete(name);
  for (const listener of listeners) listener();
}

connection.onEvent((frame) => {
  if (frame.event !== "skills.install.progress") return;
  const payload = frame.payload as { name?: string; text?: string; line?: string; command?: string };
  const install = payload.name === undefined ? undefined : installs.get(payload.name);
  if (!install || !payload.name || install.phase !== "running") return;
  const text = payload.text ?? payload.line ?? (payload.command ? `$ ${payload.command}` : undefined);
  if (text === undefined) return;
  const output = `${install.output}${text.replace(/\n?$/, "\n")}`.slice(-MOST_OUTPUT);
  set(payload.name, { ...install, output });
});

/** Runs an installer of a skill. What is needed is looked at again afterwards. */
export async function runInstall(name: string, option: InstallOption): Promise<void> {
  const begun: Install = { option, phase: "running", message: "", output: "", warnings: [] };
  set(name, begun);
  try {
    const result = await call("skills.install", { name, installId: option.id, timeoutMs: TIMEOUT_MS });
    finish(name, begun, "done", result.message, result);
  } catch (error) {
    const payload = error instanceof GatewayError ? error.payload : undefined;
    finish(name, begun, "failed", errorText(error), payload);
  }
  await refresh("skills.status");
}

function finish(
  name: string,
  begun: Install,
  phase: "done" | "failed",
  message: string,
  result: unknown,
): void {
  const said = (result ?? {}) as { stdout?: string; stderr?: string; warnings?: string[] };
  const streamed = installs.get(name)?.output ?? "";
  const output = streamed || [said.stdout, said.stderr].filter(Boolean).join("\n");
  set(name, { ...begun, phase, message, output, warnings: said.warnings ?? [] });
}

/** Stops the installer of a skill. */
export async function cancelInstall(name: string): Promise<void> {
  await call("skills.install.cancel", { name });
}

/** Forgets how an install ended. */
export function forgetInstall(name: string): void {
  set(name, undefined);
}

/** The install of a skill that runs or ran. */
export function useInstall(name: string): Install | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => installs.get(name),
  );
}
