/**
 * Where a browser sees the console. The token comes along only to a person at a terminal of this machine: what is not a
 * terminal may be a log, and another address may be typed in anywhere.
 */
export function consoleAddress(
  { url, token }: { readonly url: string; readonly token: string | undefined },
  terminal: boolean | undefined,
): { readonly address: string; readonly signsIn: boolean } {
  const signsIn = token !== undefined && terminal === true && isLoopback(new URL(url).hostname);
  return { address: signsIn ? `${url}/login#token=${token}` : `${url}/`, signsIn };
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);
