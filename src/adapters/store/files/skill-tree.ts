import { readdirSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, sep } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** A skill file as it was found. */
interface FoundSkill {
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly changedAt: number;
}

/** Something that may be a skill and was not looked at. */
export interface LeftOut {
  readonly path: string;
  readonly reason: 'too_large' | 'too_deep' | 'link_out' | 'unreadable';
}

export interface SkillTree {
  scan(): Promise<{ readonly skills: readonly FoundSkill[]; readonly leftOut: readonly LeftOut[] }>;
}

const DOCUMENT = 'SKILL.md';
const IS_YAML = /\.ya?ml$/i;
const IS_WORKFLOW = /^(?:skill|"skill"|'skill')[ \t]*:/m;
/** Folders of a skill that hold what it brings along: a `SKILL.md` in there is a template or a sample. */
const BROUGHT_ALONG = new Set(['references', 'scripts', 'assets', 'templates', 'examples', 'node_modules']);
const MOST_BYTES = 1_048_576;
const DEEPEST = 6;
/** A time of change so close to the look itself may cover another change after it. */
const UNCERTAIN_MS = 100;
/** How many files and folders are looked at before others get their turn. */
const BREATH = 500;

/** What was seen of a file or folder, for as long as its stamp stays the same. */
interface Seen<T> {
  readonly stamp: Stats;
  readonly value: T;
}

interface Listing {
  readonly folders: readonly string[];
  readonly files: readonly string[];
  readonly links: readonly string[];
}

/** A text, or that it is no skill, or that it lies elsewhere. */
type Read = { readonly text: string } | 'other' | 'link_out';

interface Walk {
  readonly skills: FoundSkill[];
  readonly leftOut: LeftOut[];
  /** What was seen in this scan: what is gone is forgotten with the scan before. */
  readonly listings: Map<string, Seen<Listing>>;
  readonly texts: Map<string, Seen<Read>>;
  readonly realRoot: string;
  readonly startedAt: number;
  looked: number;
}

/**
 * The skill files below one folder. Folders and files are listed and read again only when their times, sizes or numbers
 * have changed. Links to folders are not followed, since what lies below the root is found in its own place; a link to a
 * skill file is, as long as it stays below the root.
 */
export function skillTree(root: string): SkillTree {
  let listings = new Map<string, Seen<Listing>>();
  let texts = new Map<string, Seen<Read>>();

  const fullPath = (path: string): string => (path === '' ? root : `${root}/${path}`);

  const walk = async (path: string, depth: number, inSkill: boolean, to: Walk): Promise<void> => {
    if (++to.looked % BREATH === 0) await nextTurn();
    const full = fullPath(path);
    const listing = guarded(path, to, () => {
      const found = statSync(full, { throwIfNoEntry: false });
      return found && remembered(listings.get(path), found, to, to.listings, path, () => list(full));
    });
    if (!listing) return;
    const isSkill = listing.files.includes(DOCUMENT);
    for (const name of listing.files)
      if (name === DOCUMENT || (!inSkill && !isSkill)) takeFile(below(path, name), to);
    for (const name of listing.links)
      if (guarded(below(path, name), to, () => leadsOut(`${full}/${name}`, to)))
        to.leftOut.push({ path: below(path, name), reason: 'link_out' });
    for (const name of listing.folders) {
      if ((inSkill || isSkill) && BROUGHT_ALONG.has(name)) continue;
      const folder = below(path, name);
      if (depth === DEEPEST) to.leftOut.push({ path: folder, reason: 'too_deep' });
      else await walk(folder, depth + 1, inSkill || isSkill, to);
    }
  };

  const takeFile = (path: string, to: Walk): void => {
    const full = fullPath(path);
    const found = guarded(path, to, () => statSync(full, { throwIfNoEntry: false }));
    if (!found?.isFile()) return;
    if (found.size > MOST_BYTES) to.leftOut.push({ path: path, reason: 'too_large' });
    else {
      const read = guarded(path, to, () =>
        remembered(texts.get(path), found, to, to.texts, path, (): Read => {
          if (leadsOut(full, to)) return 'link_out';
          const text = readFileSync(full, 'utf8');
          return basename(path) === DOCUMENT || IS_WORKFLOW.test(text) ? { text } : 'other';
        }),
      );
      if (read === 'link_out') to.leftOut.push({ path: path, reason: read });
      else if (typeof read === 'object')
        to.skills.push({ path: path, text: read.text, changedAt: found.mtimeMs });
    }
  };

  return {
    scan: async () => {
      const none = { skills: [], leftOut: [] };
      if (!statSync(root, { throwIfNoEntry: false })?.isDirectory()) return none;
      const to: Walk = {
        skills: [],
        leftOut: [],
        listings: new Map(),
        texts: new Map(),
        realRoot: realpathSync(root),
        startedAt: Date.now(),
        looked: 0,
      };
      await walk('', 0, false, to);
      ({ listings, texts } = to);
      return to;
    },
  };
}

/** Hidden names are not listed: drafts, what is archived or in quarantine, a repository's own files. */
function list(folder: string): Listing {
  const entries = readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.'))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const isSkillFile = (name: string) => name === DOCUMENT || IS_YAML.test(name);
  const others = entries.filter((entry) => entry.isSymbolicLink() && !isSkillFile(entry.name));
  return {
    links: others.map(({ name }) => name),
    folders: entries.filter((entry) => entry.isDirectory()).map(({ name }) => name),
    files: entries.filter((entry) => !entry.isDirectory() && isSkillFile(entry.name)).map(({ name }) => name),
  };
}

const leadsOut = (path: string, { realRoot }: Walk): boolean =>
  !realpathSync(path).startsWith(realRoot + sep);

const below = (path: string, name: string): string => (path === '' ? name : `${path}/${name}`);

/** What is known of a path, or what a look at it tells. It is kept for the next scan unless it is too young. */
function remembered<T>(
  known: Seen<T> | undefined,
  found: Stats,
  { startedAt }: Walk,
  kept: Map<string, Seen<T>>,
  path: string,
  look: () => T,
): T {
  const seen = known && isSame(known.stamp, found) ? known : { stamp: found, value: look() };
  if (startedAt - Math.max(found.mtimeMs, found.ctimeMs) > UNCERTAIN_MS) kept.set(path, seen);
  return seen.value;
}

const isSame = (a: Stats, b: Stats): boolean =>
  a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.size === b.size && a.ino === b.ino;

/** Undefined for what cannot be read, which is told; what has gone meanwhile is not there. */
function guarded<T>(path: string, to: Walk, look: () => T): T | undefined {
  try {
    return look();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT')
      to.leftOut.push({ path: path, reason: 'unreadable' });
    return undefined;
  }
}
