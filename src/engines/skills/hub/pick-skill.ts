import type { Skill, SkillProblem } from '#spec/data';
import type { FetchedTree, HubFile, SkillFile } from '#spec/ports';
import { isSkillName } from './check-paths.ts';
import type { HubRefusal } from './hub-records.ts';

/** Reads a skill file, as the library does. */
export type ParseSkill = (file: SkillFile) => { readonly skill: Skill } | { readonly problem: SkillProblem };

export interface PickedSkill {
  readonly skill: Skill;
  /** Relative to the skill's own folder. */
  readonly files: readonly HubFile[];
}

export interface NotPicked {
  readonly reason: HubRefusal;
  readonly details: readonly string[];
}

/** Finds the one skill that is meant in what was fetched. */
export function pickSkill(
  { files, odd }: Pick<FetchedTree, 'files' | 'odd'>,
  parse: ParseSkill,
  wanted?: string,
): PickedSkill | NotPicked {
  const roots = skillFiles(files);
  if (roots.length === 0) return { reason: 'no_skill', details: [] };
  const parsed = roots.map((file) => ({ file, ...read(file, parse) }));
  const named = (folder: string) => folder.split('/').at(-1) ?? '';
  const fits = parsed.filter(
    (one) =>
      wanted === undefined || ('skill' in one ? one.skill.name : named(folderOf(one.file.path))) === wanted,
  );
  if (fits.length === 0) return { reason: 'no_skill', details: names(parsed) };
  if (fits.length > 1) return { reason: 'several_skills', details: names(fits) };
  const [one] = fits as [(typeof fits)[number]];
  if ('problem' in one)
    return { reason: 'unreadable', details: [`${one.file.path}: ${one.problem.problem}`] };
  const { skill } = one;
  if (!isSkillName(skill.name)) return { reason: 'bad_name', details: [skill.name] };
  const folder = folderOf(one.file.path);
  const within = (path: string) => folder === '' || path.startsWith(`${folder}/`);
  const strange = odd.filter(within);
  if (strange.length > 0) return { reason: 'odd_entry', details: strange.slice(0, 10) };
  const own = files
    .filter(({ path }) => within(path))
    .map(({ path, bytes }) => ({ path: folder === '' ? path : path.slice(folder.length + 1), bytes }));
  return { skill, files: own };
}

/** Every `SKILL.md`; a skill inside another one's folder belongs to it. Without any, workflows at the top. */
function skillFiles(files: readonly HubFile[]): HubFile[] {
  const documents = files
    .filter(({ path }) => /(?:^|\/)SKILL\.md$/.test(path))
    .toSorted((one, other) => one.path.length - other.path.length);
  const outer: HubFile[] = [];
  for (const file of documents) {
    const isInner = outer.some(({ path }) => {
      const folder = folderOf(path);
      return folder !== '' && file.path.startsWith(`${folder}/`);
    });
    if (!isInner) outer.push(file);
  }
  // A `SKILL.md` at the top makes the whole tree one skill.
  const top = outer.find(({ path }) => !path.includes('/'));
  if (top) return [top];
  if (outer.length > 0) return outer;
  return files.filter(
    ({ path, bytes }) => /^(?:[^/]+\/)?[^/]+\.ya?ml$/i.test(path) && /^skill:/m.test(decode(bytes)),
  );
}

function read(file: HubFile, parse: ParseSkill): ReturnType<ParseSkill> {
  const text = decode(file.bytes);
  return parse({ root: 'home', path: file.path, text, trust: 'community', changedAt: 0 });
}

const names = (parsed: readonly ({ readonly file: HubFile } & ReturnType<ParseSkill>)[]): string[] =>
  parsed.slice(0, 50).map((one) => ('skill' in one ? one.skill.name : one.file.path));

const folderOf = (path: string): string => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '');
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
