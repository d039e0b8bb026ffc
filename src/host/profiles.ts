import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { atomicWrite, readText } from '#adapters/store';
import { fail } from '#kit/app-error';
import { deleteIn, editYaml, formatPath, isReference, readYaml, ROOT, secretsIn } from '#config';
import {
  activeProfileFile,
  checkProfileName,
  DEFAULT_PROFILE,
  type Home,
  homeAt,
  profileNames,
  resolveHome,
} from './home.ts';

export interface Profile {
  readonly name: string;
  readonly root: string;
  /** The one that `home` is. */
  readonly active: boolean;
}

export interface CreatedProfile {
  readonly home: Home;
  /** What a person should know about what was copied and what was not. */
  readonly notes: readonly string[];
}

/** Every profile beside this one, `default` first. */
export function listProfiles(home: Home): Profile[] {
  return profileNames(home.base).map((name) => ({
    name,
    root: homeAt(home.base, name).root,
    active: name === home.profile,
  }));
}

/**
 * Makes a profile. With `base`, that profile's config.yaml and SOUL.md are copied; secrets, memories and state
 * never are. Throws `profile.invalid` when the name is taken.
 */
export async function createProfile(
  home: Home,
  name: string,
  options: { readonly base?: string } = {},
): Promise<CreatedProfile> {
  const from = options.base === undefined ? undefined : existing(home, options.base);
  const made = await makeFolder(home, name);
  if (!from) return { home: made, notes: [] };
  return filled(made, async () => {
    const { text, notes } = withoutSecrets((await readText(from.file('config.yaml'))) ?? '');
    if (text !== '') await atomicWrite(made.file('config.yaml'), text);
    const soul = await readText(from.file('SOUL.md'));
    if (soul !== undefined) await atomicWrite(made.file('SOUL.md'), soul);
    return notes;
  });
}

/** Makes a profile the one that is used when none is named. */
export async function switchProfile(home: Home, name: string): Promise<Home> {
  const chosen = existing(home, name);
  await atomicWrite(activeProfileFile(home.base), `${name}\n`);
  return chosen;
}

/** The folder of a new profile; making it is what claims the name. */
export async function makeFolder(home: Home, name: string): Promise<Home> {
  checkProfileName(name);
  const taken = fail(
    'profile.invalid',
    `There is a profile "${name}" already`,
    'To see all: hermes profile list',
  );
  if (name === DEFAULT_PROFILE) throw taken;
  const made = homeAt(home.base, name);
  await mkdir(join(home.base, 'profiles'), { recursive: true, mode: 0o700 });
  try {
    await mkdir(made.root, { mode: 0o700 });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') throw taken;
    throw fail(
      'config.unreadable',
      `Cannot make ${made.root}: ${(cause as Error).message}`,
      undefined,
      cause,
    );
  }
  return made;
}

/** Fills a new folder, or takes it away again: a profile is made whole or not at all. */
export async function filled(made: Home, fill: () => Promise<readonly string[]>): Promise<CreatedProfile> {
  try {
    return { home: made, notes: await fill() };
  } catch (cause) {
    await rm(made.root, { recursive: true, force: true });
    throw cause;
  }
}

function existing(home: Home, name: string): Home {
  return resolveHome({ env: { HERMES_HOME: home.base }, profile: name });
}

/** A configuration without keys that stand in it in clear text. A text that is not YAML is copied as it is not. */
function withoutSecrets(text: string): { text: string; notes: string[] } {
  const { data, problems } = readYaml(text, 'config.yaml');
  if (problems.length > 0) {
    return { text: '', notes: ['config.yaml of the base profile is not valid YAML, so it was not copied'] };
  }
  const bare = secretsIn(data, ROOT).filter(({ value }) => value !== '' && !isReference(value));
  if (bare.length === 0) return { text, notes: [] };
  return {
    text: editYaml(text, (document) => {
      for (const { path } of bare.toReversed()) deleteIn(document, path);
    }),
    notes: bare.map(({ path }) => `${formatPath(path)} was not copied: it holds a key in clear text`),
  };
}
