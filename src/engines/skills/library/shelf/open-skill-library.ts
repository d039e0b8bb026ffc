import { posix } from 'node:path';
import { fail } from '#kit/app-error';
import { nearest } from '#kit/nearest';
import type { Skill, SkillProblem } from '#spec/data';
import type { SkillFiles, SkillHistory, SkillMatch } from '#spec/ports';
import { type MatchOptions, matchSkills } from '../search/match-skills.ts';
import { queryWords } from '../search/query-words.ts';
import { rankSkills } from '../search/rank-skills.ts';
import { type SkillIndex, skillIndex } from '../search/skill-index.ts';
import { promptIndex } from './prompt-index.ts';
import { type Shelf, type ShadowedSkill, shelfReader } from './read-shelf.ts';
import { commandName, invocation, type SkillCommand, skillCommands } from './skill-commands.ts';
import { type SkillView, viewSkill } from './view-skill.ts';
import { type Available, type HiddenReason, whyHidden } from './why-hidden.ts';

export interface SkillLibraryDeps {
  readonly files: SkillFiles;
  readonly available: () => Available;
  /** Without it, no skill counts as used more than another. */
  readonly history?: Pick<SkillHistory, 'uses'>;
  readonly now?: () => number;
  /** The folder of a skill on this machine, for `${HERMES_SKILL_DIR}`. */
  readonly folderOf?: (skill: Skill) => string | undefined;
  /** How long the files are taken to be as they were. */
  readonly freshMs?: number;
}

/** The skills of a home, found and shown. Files that change on disk are seen within seconds. */
export interface SkillLibrary {
  /** Of each name the one that is taken, hidden ones included, by name. */
  all(): Promise<readonly Skill[]>;
  /** Those that are offered here. */
  offered(): Promise<readonly Skill[]>;
  hidden(): Promise<readonly { readonly skill: Skill; readonly reasons: readonly HiddenReason[] }[]>;
  problems(): Promise<readonly SkillProblem[]>;
  shadowed(): Promise<readonly ShadowedSkill[]>;
  find(name: string): Promise<Skill | undefined>;
  /** Like `find`, but a miss is a mistake of the user, with the name that was probably meant. */
  get(name: string): Promise<Skill>;
  view(name: string, file?: string): Promise<SkillView>;
  /** The file as it is, frontmatter and all: what an edit starts from. */
  source(skill: Skill, file?: string): Promise<string>;
  /** The best for a query, whether or not they really fit. */
  search(text: string, limit: number): Promise<readonly SkillMatch[]>;
  /** Those that fit a message: none when none does. */
  match(text: string, options: MatchOptions): Promise<readonly SkillMatch[]>;
  promptIndex(maxTokens?: number): Promise<string>;
  commands(): Promise<readonly SkillCommand[]>;
  /** The message that `/name args` stands for; undefined when no skill has that name. */
  invoke(command: string, args: string): Promise<string | undefined>;
  /** Looks at the files at the next call. */
  refresh(): void;
}

const FRESH_MS = 3_000;
const PROMPT_TOKENS = 600;
const MOST_USES = 2_000;
/** When more than this share of the index is out of date, it is built anew. */
const MOST_GONE = 0.25;

export function openSkillLibrary(deps: SkillLibraryDeps): SkillLibrary {
  const { files, available, now = Date.now, freshMs = FRESH_MS } = deps;
  const read = shelfReader();
  let index = skillIndex();
  let indexed = new Set<Skill>();
  let indexedShelf: Shelf | undefined;
  let state: { readonly shelf: Shelf; readonly at: number } | undefined;
  let reading: Promise<Shelf> | undefined;

  const shelf = async (): Promise<Shelf> => {
    if (state && now() - state.at < freshMs) return state.shelf;
    if (reading) return reading;
    const mine: Promise<Shelf> = files
      .scan()
      .then((found) => {
        const got = read(found);
        // What was read before a refresh may be out of date already.
        if (reading === mine) state = { shelf: got, at: now() };
        return got;
      })
      .finally(() => {
        if (reading === mine) reading = undefined;
      });
    reading = mine;
    return mine;
  };
  const searchable = async (): Promise<SkillIndex> => {
    const wantedShelf = await shelf();
    if (wantedShelf === indexedShelf) return index;
    indexedShelf = wantedShelf;
    const wanted = new Set(wantedShelf.skills.values());
    const gone = [...indexed].filter((skill) => !wanted.has(skill));
    if (index.slots.length - index.live.skills + gone.length > MOST_GONE * index.slots.length) {
      index = skillIndex();
      indexed = new Set();
    } else for (const skill of gone) index.drop(skill);
    for (const skill of wanted) if (!indexed.has(skill)) index.put(skill);
    indexed = wanted;
    return index;
  };
  const byName = async () => [...(await shelf()).skills.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  const offered = async () => {
    const here = available();
    return (await byName()).filter((skill) => whyHidden(skill, here).length === 0);
  };
  const find = async (name: string): Promise<Skill | undefined> => {
    const { skills } = await shelf();
    const exact = skills.get(name);
    if (exact) return exact;
    const command = commandName(name);
    return [...skills.values()].find((skill) => commandName(skill.name) === command);
  };
  const get = async (name: string): Promise<Skill> => {
    const skill = await find(name);
    if (skill) return skill;
    const meant = nearest(name, (await shelf()).skills.keys());
    throw fail(
      'input.invalid',
      `There is no skill '${name}'`,
      meant ? `Did you mean '${meant}'?` : 'skills_list shows all of them',
    );
  };
  const look = async (skill: Skill, file?: string) =>
    viewSkill(skill, file, { files, variables: available().variables, folderOf: deps.folderOf });

  return {
    all: byName,
    offered,
    hidden: async () => {
      const here = available();
      return (await byName())
        .map((skill) => ({ skill, reasons: whyHidden(skill, here) }))
        .filter(({ reasons }) => reasons.length > 0);
    },
    problems: async () => (await shelf()).problems,
    shadowed: async () => (await shelf()).shadowed,
    find,
    get,
    view: async (name, file) => look(await get(name), file),
    source: async (skill, file) => {
      const path = file === undefined ? skill.path : posix.join(posix.dirname(skill.path), file);
      const bytes = await files.read(skill.root, path);
      if (!bytes)
        throw fail('input.invalid', `The file '${path}' is not there`, 'skill_view lists the files');
      if (bytes.includes(0))
        throw fail('input.invalid', `The file '${path}' is not text`, 'Change it by hand');
      return new TextDecoder().decode(bytes);
    },
    search: async (text, limit) => {
      const found = await searchable();
      return rankSkills(found, queryWords(text, found))
        .slice(0, limit)
        .map(({ skill, score }) => ({ skill, score, because: [] }));
    },
    match: async (text, options) => {
      const found = await searchable();
      const here = available();
      return matchSkills(text, found, (skill) => whyHidden(skill, here).length === 0, options);
    },
    promptIndex: async (maxTokens = PROMPT_TOKENS) =>
      promptIndex(await offered(), await useCounts(deps.history), maxTokens),
    commands: async () => skillCommands(await offered()),
    invoke: async (command, args) => {
      const skill = await find(command);
      if (!skill) return undefined;
      const parts = await Promise.all((skill.includes ?? []).map(get));
      const own = skill.includes && skill.body === '' ? [] : [skill];
      return invocation(await Promise.all([...own, ...parts].map((one) => look(one))), args);
    },
    refresh: () => {
      state = undefined;
      reading = undefined;
    },
  };
}

async function useCounts(history: SkillLibraryDeps['history']): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const { skill } of (await history?.uses({ limit: MOST_USES })) ?? []) {
    counts.set(skill, (counts.get(skill) ?? 0) + 1);
  }
  return counts;
}
