/** The host that a URL leads to, as the gate is told; what is no URL is told as it is written. */
export const hostOf = (url: string): string => URL.parse(url)?.host || url.slice(0, 100);
