import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, posix, sep } from 'node:path';
import { ignoreMissing } from '#adapters/io/ignore-missing';
import { fail } from '#kit/app-error';
import type { SkillRoot, SkillTrust } from '#spec/data';
import type { SkillFile, SkillFiles } from '#spec/ports';
import { pathParts } from './safe-path.ts';
import { type LeftOut, type SkillTree, skillTree } from './skill-tree.ts';
import { settleAbandoned, writeTogether } from './write-together.ts';

export interface SkillFolders {
  readonly builtin?: string;
  /** The only one that is written. It need not be there yet. */
  readonly home: string;
  readonly project?: string;
  /** Of two plugins with a skill file of the same path, the first is taken. */
  readonly plugins?: readonly { readonly path: string; readonly trust: SkillTrust }[];
  /** How much a skill of the home is believed, by its path; without it, they are the user's own. */
  readonly trustOf?: (path: string) => SkillTrust;
}

export interface SkillFileStore extends SkillFiles {
  /** What the last scan did not look at, and why. */
  leftOut(): readonly (LeftOut & { readonly root: SkillRoot })[];
}

interface Place {
  readonly root: SkillRoot;
  readonly path: string;
  readonly tree: SkillTree;
  trust(path: string): SkillTrust;
}

const MOST_BYTES = 16_777_216;
const MOST_BESIDE = 1_000;
const DEEPEST_BESIDE = 6;

export function skillFiles(folders: SkillFolders): SkillFileStore {
  const places = placesOf(folders);
  let leftOut: (LeftOut & { readonly root: SkillRoot })[] = [];
  return {
    scan: async () => {
      await settleAbandoned(folders.home);
      const found = new Map<string, SkillFile>();
      const skipped: typeof leftOut = [];
      for (const { root, tree, trust } of places) {
        const scanned = await tree.scan();
        for (const skill of scanned.skills) {
          const key = `${root} ${skill.path}`;
          if (!found.has(key)) found.set(key, { ...skill, root, trust: trust(skill.path) });
        }
        skipped.push(...scanned.leftOut.map((one) => ({ ...one, root })));
      }
      leftOut = skipped;
      return [...found.values()];
    },
    leftOut: () => leftOut,
    beside: async (root, path) => {
      if (posix.basename(path) !== 'SKILL.md') return [];
      const at = await firstWith(places, root, path);
      return at === undefined ? [] : filesBeside(dirname(at));
    },
    read: async (root, path) => {
      const at = await firstWith(places, root, path);
      if (at === undefined) return undefined;
      if ((await stat(at)).size > MOST_BYTES) throw fail('input.invalid', `${path} is larger than 16 MiB`);
      return readFile(at);
    },
    write: (changes) => writeTogether(folders.home, changes),
  };
}

function placesOf({ builtin, home, project, plugins = [], trustOf }: SkillFolders): readonly Place[] {
  const place = (root: SkillRoot, path: string, trust: (path: string) => SkillTrust): Place => ({
    root,
    path,
    trust,
    tree: skillTree(path),
  });
  return [
    // A checked-out repository may be anybody's.
    ...(project === undefined ? [] : [place('project', project, () => 'community')]),
    place('home', home, trustOf ?? (() => 'user')),
    ...plugins.map(({ path, trust }) => place('plugin', path, () => trust)),
    ...(builtin === undefined ? [] : [place('builtin', builtin, () => 'builtin')]),
  ];
}

/** The file of that path in the first place that has it. What a link leads to outside of its place is not there. */
async function firstWith(
  places: readonly Place[],
  root: SkillRoot,
  path: string,
): Promise<string | undefined> {
  const parts = pathParts(path);
  for (const place of places.filter((one) => one.root === root)) {
    const found = await realpath(join(place.path, ...parts)).catch(nowhere);
    if (found === undefined || !found.startsWith((await realpath(place.path)) + sep)) continue;
    if ((await stat(found)).isFile()) return found;
  }
  return undefined;
}

async function filesBeside(folder: string): Promise<readonly string[]> {
  const real = await realpath(folder);
  const found: string[] = [];
  const look = async (below: string, depth: number): Promise<void> => {
    const entries = await readdir(join(real, below), { withFileTypes: true });
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.name.startsWith('.') || path === 'SKILL.md' || found.length >= MOST_BESIDE) continue;
      if (entry.isDirectory()) {
        if (depth < DEEPEST_BESIDE) await look(path, depth + 1);
      } else if (entry.isFile() || (await isLinkWithin(join(real, path), real))) found.push(path);
    }
  };
  await look('', 0);
  return found;
}

async function isLinkWithin(path: string, folder: string): Promise<boolean> {
  const target = await realpath(path).catch(nowhere);
  return target !== undefined && target.startsWith(folder + sep) && (await stat(target)).isFile();
}

/** A link that goes in circles leads nowhere, like one to what is not there. */
function nowhere(cause: unknown): undefined {
  return (cause as NodeJS.ErrnoException).code === 'ELOOP' ? undefined : ignoreMissing(cause);
}
