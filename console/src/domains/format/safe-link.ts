/** An address that may become a link: http and https alone. What comes from data is never trusted with more. */
export function safeLink(address: string | undefined): string | undefined {
  if (!address) return undefined;
  const parsed = URL.parse(address);
  return parsed && (parsed.protocol === 'https:' || parsed.protocol === 'http:') ? parsed.href : undefined;
}
