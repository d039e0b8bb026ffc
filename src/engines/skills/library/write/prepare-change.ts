import { posix } from 'node:path';
import { fail } from '#kit/app-error';
import type { Skill, SkillEdit, SkillVersion } from '#spec/data';
import type { SkillFile, SkillFiles } from '#spec/ports';
import { parseSkillFile } from '../document/parse-skill-file.ts';
import { shelfReader } from '../shelf/read-shelf.ts';
import { nextVersion, withVersion } from './bump-version.ts';
import { checkSkillName, checkSkillText } from './check-skill-text.ts';

interface FileChange {
  /** Relative to the skills of the home. */
  readonly path: string;
  /** Undefined: it is removed. */
  readonly text: string | undefined;
}

/** What somebody wants to change about a skill. */
export interface SkillChange {
  readonly action: SkillEdit['action'];
  readonly skill: string;
  readonly changes: readonly FileChange[];
  readonly why: string;
  readonly by: SkillEdit['by'];
  /** Experiences that led to it. */
  readonly from?: readonly string[];
}

/** A change with everything that goes with it. */
export interface PreparedChange {
  readonly changes: readonly FileChange[];
  /** What is in the home at those paths now. */
  readonly before: readonly FileChange[];
  /** All files of the skill as they would be; empty when it goes away. */
  readonly parts: readonly { readonly path: string; readonly text: string }[];
  /** The skill as it is, with its text; absent for a new one. */
  readonly old?: { readonly skill: Skill; readonly text: string };
  /** The skill as it would be, with its text; absent when it goes away. */
  readonly made?: { readonly skill: Skill; readonly text: string };
}

const MOST_FILE_CHARS = 1_048_576;

/**
 * Works out what a change means: an edit of a skill that is not in the home becomes a copy there which takes its place,
 * and the version grows. Fails with what is wrong.
 */
export async function prepareChange(
  change: SkillChange,
  files: SkillFiles,
  /** Versions that the skill has had: a new text is none of them. */
  known: readonly KnownVersion[],
): Promise<PreparedChange> {
  if (change.changes.length === 0) throw fail('input.invalid', 'There is nothing to change');
  checkPaths(change.changes);
  const scanned = await files.scan();
  const { skills } = shelfReader()(scanned);
  const skill = skills.get(change.skill);
  const source = skill && scanned.find(({ root, path }) => root === skill.root && path === skill.path);
  if (!skill || !source) return prepareNew(change, files, scanned);
  if (skill.root === 'project') {
    throw fail(
      'input.invalid',
      `The skill '${skill.name}' belongs to this project`,
      `Edit ${skill.path} in the project itself`,
    );
  }
  const whole = await wholeSkill(source, files);
  const wanted = new Map(change.changes.map(({ path, text }) => [path, text]));
  const copied = skill.root === 'home' ? [] : [...whole].filter(([path]) => !wanted.has(path));
  const after = new Map([...whole, ...wanted]);
  const old = { skill, text: source.text };
  const main = after.get(skill.path);
  if (main === undefined) {
    const changes = [...wanted].map(([path, text]) => ({ path, text }));
    return { changes, before: await now(changes, files), parts: [], old };
  }
  const made = madeOf(bumped(main, skill, known), { ...source, root: 'home' }, change);
  wanted.set(skill.path, made.text);
  after.set(skill.path, made.text);
  const changes = [...copied, ...wanted].map(([path, text]) => ({ path, text }));
  return { changes, before: await now(changes, files), parts: partsOf(after), old, made };
}

async function prepareNew(
  change: SkillChange,
  files: SkillFiles,
  scanned: readonly SkillFile[],
): Promise<PreparedChange> {
  const written = change.changes.filter(({ text }) => text !== undefined);
  const main =
    written.find(({ path }) => posix.basename(path) === 'SKILL.md') ??
    written.find(({ path }) => /\.ya?ml$/.test(path));
  if (main?.text === undefined) {
    throw fail('input.invalid', `There is no skill '${change.skill}'`, 'skills_list shows all of them');
  }
  checkSkillName(change.skill);
  const taken = scanned.find(({ root, path }) => root === 'home' && path === main.path);
  if (taken && change.action === 'created') {
    throw fail(
      'input.invalid',
      `${main.path} is there already`,
      'Choose another name, or edit the one that is there',
    );
  }
  const file: SkillFile = { root: 'home', path: main.path, text: main.text, trust: 'user', changedAt: 0 };
  const made = madeOf(main.text, file, change);
  const after = new Map(change.changes.map(({ path, text }) => [path, text]));
  return { changes: change.changes, before: await now(change.changes, files), parts: partsOf(after), made };
}

/** Every text of a skill by its path from the root. What is not text is left where it is. */
async function wholeSkill(source: SkillFile, files: SkillFiles): Promise<Map<string, string>> {
  const folder = posix.dirname(source.path);
  const whole = new Map([[source.path, source.text]]);
  for (const file of await files.beside(source.root, source.path)) {
    const path = posix.join(folder, file);
    const bytes = await files.read(source.root, path);
    if (bytes && !bytes.subarray(0, 8_000).includes(0)) whole.set(path, new TextDecoder().decode(bytes));
  }
  return whole;
}

type KnownVersion = Pick<SkillVersion, 'version' | 'digest'>;

/** A text that brings a version of its own keeps it, and so does one that was there before; others get the next. */
function bumped(text: string, skill: Skill, known: readonly KnownVersion[]): string {
  const parsed = parseSkillFile({
    root: skill.root,
    path: skill.path,
    text,
    trust: skill.trust,
    changedAt: 0,
  });
  if ('problem' in parsed) return text;
  const { version, digest } = parsed.skill;
  const isNew = version !== skill.version && known.every((one) => one.version !== version);
  const wasThere =
    digest !== skill.digest && known.some((one) => one.version === version && one.digest === digest);
  if (isNew || wasThere) return text;
  let next = nextVersion(skill.version);
  while (known.some((one) => one.version === next)) next = nextVersion(next);
  return withVersion(text, skill.path, next);
}

function madeOf(text: string, file: SkillFile, { skill: name }: SkillChange) {
  if (!/\.ya?ml$/.test(file.path)) checkSkillText(text);
  const parsed = parseSkillFile({ ...file, text });
  if ('problem' in parsed) {
    const { line, problem, fix } = parsed.problem;
    throw fail('input.invalid', line === undefined ? problem : `Line ${line}: ${problem}`, fix);
  }
  if (parsed.skill.name !== name) {
    throw fail(
      'input.invalid',
      `The text names the skill '${parsed.skill.name}', not '${name}'`,
      `Write name: ${name}`,
    );
  }
  return { skill: parsed.skill, text };
}

const partsOf = (after: ReadonlyMap<string, string | undefined>) =>
  [...after].flatMap(([path, text]) => (text === undefined ? [] : [{ path, text }]));

async function now(changes: readonly FileChange[], files: SkillFiles): Promise<readonly FileChange[]> {
  return Promise.all(
    changes.map(async ({ path }) => {
      const bytes = await files.read('home', path);
      return { path, text: bytes && new TextDecoder().decode(bytes) };
    }),
  );
}

function checkPaths(changes: readonly FileChange[]): void {
  for (const { path, text } of changes) {
    const parts = path.split('/');
    // oxlint-disable-next-line no-control-regex
    if (parts.some((part) => part === '' || part === '.' || part === '..') || /[\\\0-\x1f:]/.test(path)) {
      throw fail(
        'input.invalid',
        `'${path}' is no path inside of the skills folder`,
        'Name it from there, with /',
      );
    }
    if (text !== undefined && text.length > MOST_FILE_CHARS) {
      throw fail('input.invalid', `${path} is larger than 1 MiB`, 'Keep data out of skills');
    }
  }
}
