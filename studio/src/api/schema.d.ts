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
  "/api/v1/skills.update": Post<
    { skillKey: string; enabled?: boolean; apiKey?: string; env?: Record<string, string> },
    { ok: boolean; skillKey: string; config: Record<string, unknown> }
  >;
  "/api/v1/skills.install.plan": Post<
    { name: string; installId: string; agentId?: string },
    schemas["PlanAnswer"]
  >;
  "/api/v1/skills.install": Post<
    { name?: string; installId?: string; timeoutMs?: number; agentId?: string },
    schemas["InstallAnswer"]
  >;
  "/api/v1/skills.install.cancel": Post<{ name: string; installId?: string }, { cancelled: boolean }>;
  "/api/v1/skills.remove.plan": Post<{ skillKey: string; agentId?: string }, schemas["RemovalOffer"]>;
  "/api/v1/skills.remove": Post<
    { skillKey: string; agentId?: string; confirm: string },
    schemas["RemovalOffer"] & { trashId?: string; removed: boolean }
  >;
  "/api/v1/skills.trash": Post<
    { agentId?: string },
    { skills: { trashId: string; scope: "workspace" | "managed"; from: string; removedAt: number }[] }
  >;
  "/api/v1/skills.restore": Post<
    { trashId: string; scope: "workspace" | "managed"; agentId?: string },
    { path: string; isListed: boolean; replaced?: string }
  >;
  "/api/v1/skills.why": Post<{ skillKey: string; agentId?: string }, schemas["Why"]>;
  "/api/v1/skills.scan": Post<{ skillKey: string; agentId?: string }, schemas["ScanAnswer"]>;
  "/api/v1/skills.read": Post<{ skillKey: string; agentId?: string; file?: string }, schemas["SkillText"]>;
  "/api/v1/skills.installed": Post<
    { agentId?: string },
    {
      skills: {
        folder: string;
        name: string;
        path: string;
        tool?: string;
        source: string;
        version?: string;
        commit?: string;
        registry?: string;
        owner?: string;
        installedAt?: number;
        updatedAt?: number;
        pinned?: { reason: string | null };
        verdict?: string;
        state: "intact" | "edited" | "gone" | "replaced" | "unknown";
      }[];
    }
  >;
  "/api/v1/runs.list": Post<
    { agentId?: string; session?: string; active?: boolean; limit?: number },
    { runs: { runId: string; session: string; agentId: string; startedAt: number | null; createdAt: number }[] }
  >;
  "/api/v1/skills.commands": Post<
    { agentId?: string },
    { commands: { name: string; displayName?: string; skillName: string; description: string }[] }
  >;
  "/api/v1/agents.list": Post<Record<string, never>, schemas["AgentsReport"]>;
  "/api/v1/agents.update": Post<
    { agentId: string; name?: string; workspace?: string; model?: string; emoji?: string; avatar?: string },
    { ok: boolean; agentId: string; agent: schemas["AgentRow"] }
  >;
  "/api/v1/agents.files.list": Post<
    { agentId: string },
    { agentId: string; workspace: string; files: schemas["AgentFile"][] }
  >;
  "/api/v1/agents.files.get": Post<
    { agentId: string; name: string },
    { ok: boolean; agentId: string; workspace: string; file: schemas["AgentFile"] }
  >;
  "/api/v1/agents.files.set": Post<
    { agentId: string; name: string; content: string },
    { ok: boolean; agentId: string; workspace: string; file: schemas["AgentFile"] }
  >;
  "/api/v1/models.list": Post<
    { view?: string },
    { models: { id: string; name: string; provider: string }[] }
  >;
  "/api/v1/cron.list": Post<{ includeDisabled?: boolean }, { jobs: schemas["CronJob"][] }>;
  "/api/v1/cron.add": Post<schemas["CronDraft"], schemas["CronJob"]>;
  "/api/v1/cron.update": Post<{ id: string; patch: Partial<schemas["CronDraft"]> }, schemas["CronJob"]>;
  "/api/v1/cron.remove": Post<{ id: string }, { ok: boolean; removed: boolean }>;
  "/api/v1/cron.run": Post<{ id: string; mode?: "force" | "due" }, { ok: boolean; ran?: boolean; reason?: string }>;
  "/api/v1/cron.runs": Post<{ id: string; limit?: number }, { entries: schemas["CronRun"][] }>;
  "/api/v1/config.get": Post<Record<string, never>, schemas["ConfigSnapshot"]>;
  "/api/v1/config.set": Post<{ raw: string; baseHash?: string }, schemas["Written"]>;
  "/api/v1/config.patch": Post<
    { raw: string; baseHash?: string; replacePaths?: string[] },
    schemas["Written"]
  >;
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
    snapshot: { id: string; version: number };
    settings: Record<string, { enabled?: boolean; hasApiKey: boolean; env: string[] }>;
    installTarget: schemas["InstallTarget"];
    staleEdits: { name: string; file: string; reason: string; message: string }[];
    configProblem?: string;
  };
  Step:
    | { type: "command"; argv: string[]; env?: [string, string][] }
    | { type: "download"; url: string; [key: string]: unknown };
  InstallTarget: { agentId: string; workspace: string; isDefault: boolean };
  PlanAnswer: schemas["InstallOption"] & {
    steps: schemas["Step"][];
    obstacle?: string | null;
    admission: { decision: "allow" | "warn" | "block"; warnings: string[] };
    warnings: string[];
    agreedByPolicy: boolean;
    commands: string[];
    objection?: string;
    target: schemas["InstallTarget"];
  };
  InstallAnswer: {
    ok: boolean;
    message: string;
    stdout: string;
    stderr: string;
    code: number | null;
    warnings?: string[];
    target: schemas["InstallTarget"];
  };
  RemovalOffer: {
    name: string;
    skillKey: string;
    source: string;
    scope: string;
    path: string;
    agents: string[];
    uncovers: string[];
  };
  SkillText: {
    name: string;
    skillKey: string;
    file: string;
    text: string;
    bodyStart?: number;
    files: { path: string; size?: number; special: boolean }[];
    isCut: boolean;
  };
  Why: {
    name: string;
    fate: string;
    inPrompt: boolean;
    steps: { stage: string; rule: string; outcome: "pass" | "fail" | "skip"; detail: string }[];
  };
  ScanAnswer: {
    name: string;
    skillKey: string;
    verdict: "clean" | "suspicious" | "malicious";
    findings: {
      rule: string;
      category: string;
      severity: "info" | "warn" | "critical";
      file: string;
      line: number;
      column: number;
      evidence: string;
      message: string;
    }[];
    capabilities: string[];
  };
  AgentRow: {
    id: string;
    name?: string;
    identity?: { name?: string; emoji?: string; avatar?: string; theme?: string };
    workspace: string;
    model?: { primary: string };
    isDefault: boolean;
    skills?: string[];
  };
  AgentsReport: { defaultId: string; mainKey: string; scope: string; agents: schemas["AgentRow"][] };
  AgentFile: {
    name: string;
    path: string;
    missing: boolean;
    size?: number;
    updatedAtMs?: number;
    content?: string;
  };
  CronSchedule:
    | { kind: "at"; at: string }
    | { kind: "every"; everyMs: number; anchorMs?: number }
    | { kind: "cron"; expr: string; tz?: string };
  CronDraft: {
    name: string;
    enabled: boolean;
    agentId?: string;
    schedule: schemas["CronSchedule"];
    sessionTarget: string;
    payload: { kind: "agentTurn"; message: string } | { kind: "systemEvent"; text: string };
  };
  CronJob: schemas["CronDraft"] & {
    id: string;
    createdAtMs?: number;
    updatedAtMs?: number;
    state: {
      nextRunAtMs?: number;
      lastRunAtMs?: number;
      lastStatus?: string;
      lastError?: string;
      runningAtMs?: number;
      lastDurationMs?: number;
    };
  };
  CronRun: {
    ts: number;
    status?: string;
    error?: string;
    summary?: string;
    runAtMs?: number;
    durationMs?: number;
    sessionId?: string;
  };
  ConfigProblem: { path: string; message: string; line?: number; column?: number; help?: string };
  ConfigSnapshot: {
    path: string;
    exists: boolean;
    raw: string | null;
    parsed: unknown;
    config: unknown;
    runtimeConfig: unknown;
    valid: boolean;
    hash: string;
    issues: schemas["ConfigProblem"][];
    warnings: schemas["ConfigProblem"][];
    legacyIssues: schemas["ConfigProblem"][];
  };
  Written: {
    ok: boolean;
    path: string;
    config: unknown;
    hash: string;
    warnings: schemas["ConfigProblem"][];
  };
}
