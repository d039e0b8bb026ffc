import { fileURLToPath } from 'node:url';

export { conformanceFixtures } from './conformance-fixtures.ts';

/** The arguments with which this Node runs the small server: see `small-server.ts` for its modes. */
export const smallServer = (...args: readonly string[]): string[] => [
  '--no-warnings',
  fileURLToPath(new URL('small-server.ts', import.meta.url)),
  ...args,
];
