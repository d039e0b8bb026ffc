/**
 * Where a browser sees the console. A word that signs in once comes along only to a person at a terminal of this machine:
 * what is not a terminal may be a log, and another address may be typed in anywhere.
 */
export function consoleAddress(
  { url, token, newCode }: { readonly url: string; readonly token: string | undefined; newCode(): string },
  terminal: boolean | undefined,
): { readonly address: string; readonly signsIn: boolean } {
  const signsIn = token !== undefined && terminal === true && isLoopback(new URL(url).hostname);
  return { address: signsIn ? signInAddress(url, newCode()) : `${url}/`, signsIn };
}

/** What stands behind the # is seen by the page alone, never by a server on the way. */
export const signInAddress = (url: string, code: string): string => `${url}/login#token=${code}`;

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);
