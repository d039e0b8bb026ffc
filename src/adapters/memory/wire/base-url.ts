import { fail } from '#kit/app-error';

/** The address of a service, with a path that further parts can be added to. */
export function baseUrl(given: string, variable: string): URL {
  const url = URL.parse(given.trim());
  if (!url || !/^https?:$/.test(url.protocol))
    throw fail(
      'config.invalid',
      `${variable} is no address: '${given}'`,
      `such as ${variable}=https://memory.example`,
    );
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}
