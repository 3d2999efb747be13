// Installs that run or ran, by skill. They go on when the dialog is closed; every dialog shows the same.

import { useSyncExternalStore } from "react";
import { call, connection, errorText, GatewayError, type InstallOption, refresh } from "../../api";
import { sizeText } from "../../lib/text";

export interface Install {
  option: InstallOption;
  phase: "running" | "done" | "failed";
  /** The result in one line. */
  message: string;
  /** The output so far. */
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
  const progress = frame.payload as Progress;
  const install = installs.get(progress.name);
  if (install?.phase !== "running" || progress.installId !== install.option.id) return;
  const output = (install.output + progressText(progress)).slice(-MOST_OUTPUT);
  set(progress.name, { ...install, output });
});

interface Progress {
  name: string;
  installId?: string | null;
  kind: "command" | "download" | "output" | "received" | "done";
  text?: string;
  received?: number;
  total?: number | null;
}

/** The text that a note of the installer adds to the output. */
export function progressText({ kind, text = "", received = 0, total }: Progress): string {
  switch (kind) {
    case "command":
      return `$ ${text}\n`;
    case "download":
      return `${text}\n`;
    case "output":
      return text;
    case "received":
      return `${sizeText(received)}${total ? ` of ${sizeText(total)}` : ""}\n`;
    case "done":
      return "";
  }
}

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
  const installId = installs.get(name)?.option.id;
  if (installId !== undefined) await call("skills.install.cancel", { name, installId });
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
