export function CortexPage() {
  return null;
}
