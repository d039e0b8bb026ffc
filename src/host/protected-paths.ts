import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Home } from './home.ts';

/** What no tool may read or write: Hermes' own home, and the places where credentials live. */
export function protectedPaths(home: Home): string[] {
  const credentials = [
    '.ssh',
    '.aws',
    '.gnupg',
    '.netrc',
    '.kube',
    '.docker/config.json',
    '.config/gcloud',
    '.azure',
    '.npmrc',
    '.pypirc',
  ];
  return [home.base, ...credentials.map((name) => join(homedir(), name))];
}
