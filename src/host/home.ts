import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { fail } from '#kit/app-error';
import { nearest } from '#kit/nearest';
import type { Env } from '#config';
import { makeShippedProfile } from './shipped.ts';

export type HomeFile =
  | 'config.yaml'
  | '.env'
  | 'SOUL.md'
  | 'state.db'
  | 'ledger.db'
  | 'flows.db'
  | 'memory.db'
  | 'learning.db'
  | 'incidents.db'
  | 'incidents.yaml'
  | 'server.json'
  | 'server_sessions.json'
  | 'tracing.json'
  | 'users.yaml'
  | 'credentials.json'
  | 'chat_history'
  | 'gateway.yaml'
  | 'cron.yaml'
  | 'backends.yaml'
  | 'mcp_config.json'
  | 'mcp_cache.json'
  | 'mcp_tokens.json'
  | 'imported.yaml';

export type HomeDir =
  | 'memories'
  | 'skills'
  | 'logs'
  | 'plugins'
  | 'artifacts'
  | 'checkpoints'
  | 'embed'
  | 'incidents'
  | 'telemetry'
  | 'knowledge'
  | 'runbook_profiles'
  | 'evals'
  | 'training';

/**
 * Where one profile keeps everything. Profiles share nothing: `root` is the profile's own folder,
 * `base` the one that holds all of them. Asking for a path makes nothing.
 */
export interface Home {
  readonly root: string;
  readonly base: string;
  readonly profile: string;
  /** `profiles/<name>.yaml`, whether or not it is there; the default profile has none. */
  readonly profileFile?: string;
  file(name: HomeFile): string;
  dir(name: HomeDir): string;
  /**
   * Makes its folder where there never was one. Throws `store.failing` where it was there and is gone: a home that was moved
   * away must not come back as an empty one.
   */
  make(): Promise<void>;
}

export const DEFAULT_PROFILE = 'default';
const ACTIVE_PROFILE = 'active_profile';
const PROFILE_NAME = /^[a-z0-9][a-z0-9-]{0,63}$/;

/**
 * The home to use: the profile asked for, else `HERMES_PROFILE`, else the one switched to, else the default.
 * Throws `profile.invalid` for a name that could not be a profile and `profile.not_found` for one that is not.
 */
export function resolveHome(options: { readonly env: Env; readonly profile?: string | undefined }): Home {
  const base = baseHome(options.env);
  const asked = options.profile ?? (options.env['HERMES_PROFILE'] || undefined);
  const name = asked ?? activeProfile(base);
  checkProfileName(name);
  if (asked !== undefined && name !== DEFAULT_PROFILE) makeShippedProfile(base, name);
  const home = homeAt(base, name);
  if (name !== DEFAULT_PROFILE && !isFolder(home.root)) {
    if (!isFile(home.profileFile)) throw notFound(base, name, asked === undefined);
    // A file is enough of a profile; what it keeps lies beside it.
    mkdirSync(home.root, { recursive: true, mode: 0o700 });
  }
  return home;
}

/** The home of a profile whose name has been checked, whether or not it exists. */
export function homeAt(base: string, profile: string): Home {
  const root = profile === DEFAULT_PROFILE ? base : join(base, 'profiles', profile);
  let seen = existsSync(root);
  return {
    root,
    base,
    profile,
    ...(profile === DEFAULT_PROFILE ? {} : { profileFile: `${root}.yaml` }),
    file: (name) => join(root, name),
    dir: (name) => join(root, name),
    make: async () => {
      if (seen && !existsSync(root))
        throw fail('store.failing', `${root}: it was removed, moved or replaced while Hermes runs`);
      await mkdir(root, { recursive: true, mode: 0o700 });
      seen = true;
    },
  };
}

export const activeProfileFile = (base: string): string => join(base, ACTIVE_PROFILE);

/** Throws `profile.invalid` unless the name is safe as a folder's. `default` names the base home. */
export function checkProfileName(name: string): void {
  if (PROFILE_NAME.test(name)) return;
  throw fail(
    'profile.invalid',
    `${JSON.stringify(name)} cannot be the name of a profile`,
    'Use up to 64 small letters, digits and hyphens, starting with a letter or a digit.',
  );
}

/** The names of the profiles that exist, `default` first. */
export function profileNames(base: string): string[] {
  const folder = join(base, 'profiles');
  if (!isFolder(folder)) return [DEFAULT_PROFILE];
  const named = readdirSync(folder).flatMap((entry) => {
    const name = entry.replace(/\.yaml$/, '');
    const there = name === entry ? isFolder(join(folder, entry)) : isFile(join(folder, entry));
    return there && PROFILE_NAME.test(name) && name !== DEFAULT_PROFILE ? [name] : [];
  });
  return [DEFAULT_PROFILE, ...new Set(named.toSorted())];
}

function baseHome(env: Env): string {
  const user = env['HOME'] || homedir();
  const set = env['HERMES_HOME'];
  if (!set) return join(user, '.hermes');
  return resolve(set.replace(/^~(?=$|[/\\])/, user));
}

function activeProfile(base: string): string {
  const file = activeProfileFile(base);
  if (!existsSync(file)) return DEFAULT_PROFILE;
  try {
    return readFileSync(file, 'utf8').trim() || DEFAULT_PROFILE;
  } catch (cause) {
    throw fail('config.unreadable', `Cannot read ${file}: ${(cause as Error).message}`, undefined, cause);
  }
}

function notFound(base: string, name: string, switchedTo: boolean): Error {
  const close = nearest(name, profileNames(base));
  const hints = [
    ...(close ? [`Did you mean "${close}"?`] : []),
    `To make it: hermes profile create ${name}`,
    ...(switchedTo ? ['To go back: hermes profile switch default'] : []),
  ];
  return fail('profile.not_found', `There is no profile "${name}"`, hints.join('\n'));
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function isFile(path: string | undefined): boolean {
  return path !== undefined && (statSync(path, { throwIfNoEntry: false })?.isFile() ?? false);
}
