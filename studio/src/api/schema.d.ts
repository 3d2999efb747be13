// The methods of the gateway in the shape that openapi-typescript gives them.

interface Post<Params, Result> {
  post: {
    requestBody: { content: { "application/json": Params } };
    responses: { 200: { content: { "application/json": Result } } };
  };
}

export interface paths {
  "/api/v1/health": Post<Record<string, never>, { ok: boolean; ts: number; defaultAgentId: string }>;
  "/api/v1/skills.status": Post<{ agentId?: string }, schemas["StatusReport"]>;
  "/api/v1/skills.allow": Post<
    {
      agentId: string;
      mode?: "all" | "none" | "selected";
      skills?: string[];
      name?: string;
      allowed?: boolean;
    },
    { agentId: string; mode: "all" | "none" | "selected"; skills?: string[] }
  >;
  "/api/v1/agents.list": Post<Record<string, never>, schemas["AgentsList"]>;
  "/api/v1/config.get": Post<Record<string, never>, schemas["ConfigSnapshot"]>;
}

interface schemas {
  Requirements: { bins: string[]; anyBins: string[]; env: string[]; config: string[]; os: string[] };
  Origin: {
    tier: "extra" | "bundled" | "workshop" | "managed" | "personal" | "project" | "workspace";
    source: string;
    root: string;
    file: string;
    base: string;
    realFile: string;
    plugin?: string;
  };
  Diagnostic: {
    rule: string;
    severity: "note" | "warning" | "error";
    span: { start: number; end: number } | null;
    message: string;
    help: string | null;
  };
  Loss: {
    name?: string;
    source: string;
    path: string;
    reason: string;
    message: string;
    winner?: string;
    diagnostics?: schemas["Diagnostic"][];
  };
  InstallOption: { id: string; kind: string; label: string; bins: string[] };
  SkillStatus: {
    name: string;
    description: string;
    source: string;
    bundled: boolean;
    filePath: string;
    baseDir: string;
    skillKey: string;
    primaryEnv?: string;
    emoji?: string;
    homepage?: string;
    always: boolean;
    disabled: boolean;
    blockedByAllowlist: boolean;
    blockedByAgentFilter: boolean;
    eligible: boolean;
    platformIncompatible: boolean;
    modelVisible: boolean;
    userInvocable: boolean;
    commandVisible: boolean;
    requirements: schemas["Requirements"];
    missing: schemas["Requirements"];
    configChecks: { path: string; satisfied: boolean }[];
    install: schemas["InstallOption"][];
    clawhub?: Record<string, unknown>;
    skillCard?: { present: boolean; path?: string };
    id: string;
    displayName: string;
    level: "rejected" | "loadable" | "extended" | "portable";
    mode: "pinned" | "auto" | "nameOnly" | "name-only" | "manual" | "disabled";
    modeScope?: "user" | "project" | "agent";
    contentHash: string;
    origin: schemas["Origin"];
    shadowed: schemas["Origin"][];
    reasons: string[];
    diagnostics: schemas["Diagnostic"][];
  };
  StatusReport: {
    workspaceDir: string;
    managedSkillsDir: string;
    agentId: string;
    agentSkillFilter?: string[];
    skills: schemas["SkillStatus"][];
    notLoaded: schemas["Loss"][];
  };
  AgentsList: {
    defaultId: string;
    mainKey: string;
    scope?: string;
    agents: { id: string; name?: string; identity?: { name?: string; emoji?: string }; workspace?: string }[];
  };
  ConfigSnapshot: {
    path: string;
    exists: boolean;
    raw?: string | null;
    hash?: string;
    valid: boolean;
    config: Record<string, unknown>;
    issues?: { path: string; message: string }[];
  };
}
