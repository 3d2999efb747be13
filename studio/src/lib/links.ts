/** True if a link is safe: only the web and mail are. */
export function isSafeLink(href: string): boolean {
  return /^(https?:\/\/|mailto:)/i.test(href);
}
