export default function SettingsPage(_: { agentId: string }) {
  return null;
}
