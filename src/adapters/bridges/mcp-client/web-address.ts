/** Whether a browser may be sent there: a page behind TLS, or one of this machine. Never a file, a script or a program. */
export function isWebAddress(text: string): boolean {
  const url = URL.parse(text);
  if (!url || url.username || url.password) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
}

export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);

/** Names and addresses that lead into a private network, as far as their spelling tells. */
export const isPrivateHost = (hostname: string): boolean =>
  isLoopback(hostname) ||
  /^(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./.test(
    hostname,
  ) ||
  /^\[(?:::|::1|f[cd]|fe[89ab]|::ffff:|64:ff9b:|2002:)/i.test(hostname) ||
  /\.(?:local|internal|localhost)$/i.test(hostname) ||
  !/[.:]/.test(hostname);
