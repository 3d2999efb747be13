// The token that this browser presents, kept per gateway. A token in the address is taken out of it at once.

const KEY = "prowess.token:";

/** Takes `#token=…` out of the address bar and keeps it. Runs before anything else reads the address. */
export function takeTokenFromAddress(gateway: string): boolean {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const token = fragment.get("token");
  if (token === null) return false;
  fragment.delete("token");
  const rest = fragment.toString();
  history.replaceState(history.state, "", location.pathname + location.search + (rest ? `#${rest}` : ""));
  if (token) keepToken(gateway, token);
  return true;
}

export function knownToken(gateway: string): string | undefined {
  return localStorage.getItem(KEY + gateway) ?? undefined;
}

export function keepToken(gateway: string, token: string): void {
  localStorage.setItem(KEY + gateway, token);
}

export function dropToken(gateway: string): void {
  localStorage.removeItem(KEY + gateway);
}
