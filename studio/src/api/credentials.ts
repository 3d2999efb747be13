// The token that this browser presents, kept per gateway. A one-time code or a token in the address is taken out of it at
// once; a code is kept in memory only.

const KEY = "prowess.token:";

/**
 * Takes `#code=…` and `#token=…` out of the address bar. Keeps the token, returns the code. Runs before anything else reads
 * the address.
 */
export function takeFromAddress(gateway: string): string | undefined {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const [code, token] = [fragment.get("code"), fragment.get("token")];
  if (code === null && token === null) return undefined;
  fragment.delete("code");
  fragment.delete("token");
  const rest = fragment.toString();
  history.replaceState(history.state, "", location.pathname + location.search + (rest ? `#${rest}` : ""));
  if (token) keepToken(gateway, token);
  return code || undefined;
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
