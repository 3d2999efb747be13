import { call, isStale, refresh } from "../api";

/**
 * Merges a patch into the config. It is made for the current file: if another client writes in between, it is read
 * again and retried.
 */
export async function patchConfig(patch: unknown, replacePaths: string[] = []): Promise<void> {
  const attempt = async () => {
    const { hash, exists } = await call("config.get", {});
    await call("config.patch", {
      raw: JSON.stringify(patch),
      ...(exists && { baseHash: hash }),
      replacePaths,
    });
  };
  try {
    await attempt();
  } catch (error) {
    if (!isStale(error)) throw error;
    await attempt();
  }
  await refresh("config.get", "skills.status", "agents.list");
}
