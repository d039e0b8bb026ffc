import { posix } from 'node:path';
import type { GuardedPlaces } from './shell/guarded-reach.ts';

/** What no call may touch: the policy, the secrets, the approvals and the audit log. */
export type Guarded = GuardedPlaces;

/** The first of `paths` of this machine that lies in a guarded place, or leads into one. */
export function guardedPath(paths: readonly string[], cwd: string, guarded: Guarded): string | undefined {
  const leads = (path: string): boolean =>
    guarded.real !== undefined && lies(guarded.real(posix.resolve('/', cwd, path)), cwd, guarded);
  return paths.find((path) => lies(path, cwd, guarded) || leads(path));
}

/**
 * A word of a command, or a piece of the text, that names a guarded place. What hides the name behind an expansion is not
 * found here: that the sandbox does not show these places at all is what holds them.
 */
export function guardedMention(
  text: string,
  commands: readonly (readonly string[])[],
  cwd: string,
  guarded: Guarded,
): string | undefined {
  const words = commands.flat().flatMap((word) => [word, ...word.split(/[=:@,]/)]);
  const word = words.find((candidate) => candidate !== '' && lies(candidate, cwd, guarded));
  if (word !== undefined) return word;
  const bare = text.replace(/["'\\]/g, '');
  return guarded.paths
    .flatMap((path) => spellings(path, guarded.userHome))
    .find((path) => mentions(bare, path));
}

function lies(path: string, cwd: string, { paths, userHome }: Guarded): boolean {
  const expanded = userHome === undefined ? path : path.replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/, userHome);
  const full = posix.resolve('/', cwd, expanded.replace(/^\/proc\/(?:self|\d+)\/root(?=\/)/, ''));
  return paths.some((place) => full === place || full.startsWith(`${place}/`));
}

function spellings(path: string, userHome: string | undefined): string[] {
  if (userHome === undefined || !path.startsWith(`${userHome}/`)) return [path];
  const rest = path.slice(userHome.length);
  return [path, `~${rest}`, `$HOME${rest}`, `\${HOME}${rest}`];
}

function mentions(text: string, path: string): boolean {
  for (let at = text.indexOf(path); at >= 0; at = text.indexOf(path, at + 1)) {
    if (!/[\w.-]/.test(text[at + path.length] ?? ' ')) return true;
  }
  return false;
}
