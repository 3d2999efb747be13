/** Whether a reader may be sent there: only to the web and to mail. */
export function isSafeLink(href: string): boolean {
  return /^(https?:\/\/|mailto:)/i.test(href);
}
