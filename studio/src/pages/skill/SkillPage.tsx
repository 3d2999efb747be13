export function SkillPage() {
  return null;
}
