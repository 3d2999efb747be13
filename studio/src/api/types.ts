// Names for what the gateway answers, taken from the generated schema so that they cannot drift from it.

import type { paths } from "./schema";

type MethodPath = Extract<keyof paths, `/api/v1/${string}`>;
type Operation<M extends Method> = `/api/v1/${M}` extends keyof paths
  ? paths[`/api/v1/${M}`] extends { post: infer O }
    ? O
    : never
  : never;

/** Every method of the gateway. */
export type Method = {
  [P in MethodPath]: paths[P] extends { post: object } ? (P extends `/api/v1/${infer M}` ? M : never) : never;
}[MethodPath];

/** The params of a method. */
export type Params<M extends Method> =
  Operation<M> extends { requestBody?: infer B }
    ? NonNullable<B> extends { content: { "application/json": infer P } }
      ? P
      : never
    : never;

/** The answer of a method. */
export type Result<M extends Method> =
  Operation<M> extends { responses: { 200: { content: { "application/json": infer R } } } } ? R : never;

export type StatusReport = Result<"skills.status">;
export type SkillStatus = StatusReport["skills"][number];
export type Requirements = SkillStatus["missing"];
export type Origin = SkillStatus["origin"];
export type Diagnostic = SkillStatus["diagnostics"][number];
export type InstallOption = SkillStatus["install"][number];
export type Agent = Result<"agents.list">["agents"][number];
export type ConfigSnapshot = Result<"config.get">;
export type Verdict = Result<"skills.scan">["verdict"];
export type Finding = Result<"skills.scan">["findings"][number];
