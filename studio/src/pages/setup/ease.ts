// The effort to set up a skill, so that the easiest come first.

import type { InstallOption, SkillStatus } from "../../api";

/** The options that bring something that is missing; one that names no program may. */
export function usefulOptions(skill: SkillStatus): InstallOption[] {
  const wanted = new Set([...skill.missing.bins, ...skill.missing.anyBins]);
  if (wanted.size === 0) return [];
  return skill.install.filter(
    (option) => option.bins.length === 0 || option.bins.some((bin) => wanted.has(bin)),
  );
}

/** The number of missing requirements; those without an installer count more. */
export function effort(skill: SkillStatus): number {
  const { missing } = skill;
  const programs = missing.bins.length + Math.min(missing.anyBins.length, 1);
  const installable = usefulOptions(skill).length > 0;
  const keys = missing.env.length;
  const keyHere = skill.primaryEnv != null && missing.env.includes(skill.primaryEnv);
  return (
    programs * (installable ? 1 : 4) + (keyHere ? 1 + (keys - 1) * 3 : keys * 3) + missing.config.length * 3
  );
}

export function byEase(a: SkillStatus, b: SkillStatus): number {
  return effort(a) - effort(b) || a.name.localeCompare(b.name);
}
