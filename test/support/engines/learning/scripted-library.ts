import { createHash } from 'node:crypto';
import type { Experience, ExperienceStep, Skill, SkillEdit, SkillUse, SkillVersion } from '#spec/data';
import type { ExperienceBook, Marks, SkillHistory, SkillMatch } from '#spec/ports';
import type { LearningDeps, SkillChange } from '../../../../src/engines/learning/learning-deps.ts';
import { editFront, readFront } from '../../../../src/engines/learning/procedure/front-matter.ts';
import { taskTerms } from '../../../../src/engines/learning/similarity/known-experience.ts';

/** A library and its books in memory, for the tests of the loop: ports only, nothing of the real ones. */

export interface ScriptedLibrary extends LearningDeps {
  readonly texts: Map<string, string>;
  readonly trust: Map<string, Skill['trust']>;
  readonly edits: SkillEdit[];
  readonly uses: SkillUse[];
  readonly known: Map<string, Experience>;
  skill(name: string): Skill | undefined;
}

const LEAST_SHARED = 0.4;

export function scriptedLibrary(more: Partial<LearningDeps> = {}): ScriptedLibrary {
  const texts = new Map<string, string>();
  const trust = new Map<string, Skill['trust']>();
  const edits: SkillEdit[] = [];
  const uses: SkillUse[] = [];
  const versions: SkillVersion[] = [];
  const known = new Map<string, Experience>();
  const marks = new Map<string, unknown>();
  let now = 1_000;
  const all = () =>
    [...texts].flatMap(([path, text]) => (path.startsWith('.') ? [] : [skillOf(path, text, trust)]));
  const pen = { apply, undo: async (id: string) => void edits.find((edit) => edit.id === id) };

  async function apply({ action, skill, changes, why, by, from = [] }: SkillChange): Promise<SkillEdit> {
    const before = changes.map(({ path }) => ({ path, text: texts.get(path) }));
    for (const { path, text } of changes) {
      if (text === undefined) texts.delete(path);
      else {
        const had = texts.get(path);
        const version = had === undefined ? '1.0.0' : bumped(String(readFront(had, 'version')));
        const whole = path.endsWith('.md') && !path.startsWith('.') ? editFront(text, { version }) : text;
        texts.set(path, whole);
        versions.unshift({
          skill,
          version,
          path,
          text: whole,
          digest: '',
          why,
          from: [...from],
          state: 'active',
          at: now,
        });
      }
    }
    const edit = {
      id: `edit_${edits.length + 1}`,
      action,
      skill,
      why,
      by,
      before,
      after: [...changes],
      undone: false,
      at: now,
    };
    edits.unshift(edit);
    return edit;
  }

  const experiences: ExperienceBook = {
    add: async (experience) => void known.set(experience.id, experience),
    list: async ({ ids, skill, limit }) =>
      [...known.values()]
        .filter(
          ({ id, skill: used }) =>
            (!ids || ids.includes(id)) && (skill === undefined || used?.name === skill),
        )
        .toReversed()
        .slice(0, limit),
    count: async () => known.size,
  };
  const history: SkillHistory = {
    addUse: async (use) => {
      const at = uses.findIndex(({ id }) => id === use.id);
      if (at < 0) uses.unshift(use);
      else uses[at] = use;
    },
    uses: async ({ skill, version, limit }) =>
      uses
        .filter(
          (use) =>
            (skill === undefined || use.skill === skill) &&
            (version === undefined || use.version === version),
        )
        .slice(0, limit),
    putVersion: async (version) => void versions.unshift(version),
    versions: async (skill) => versions.filter((version) => version.skill === skill),
    addEdit: async (edit) => void edits.unshift(edit),
    edits: async ({ id, skill, limit }) =>
      edits.filter((edit) => (!id || edit.id === id) && (!skill || edit.skill === skill)).slice(0, limit),
    markUndone: async () => true,
  };
  const book: Marks = {
    get: async (name) => marks.get(name),
    set: async (name, value) => void marks.set(name, value),
  };
  return {
    texts,
    trust,
    edits,
    uses,
    known,
    skill: (name) => all().find((skill) => skill.name === name),
    experiences,
    history,
    marks: book,
    files: { read: async (_, path) => new TextEncoder().encode(texts.get(path)) },
    shelf: { all, match: (text, { limit }) => matches(all(), text).slice(0, limit) },
    pen,
    now: () => ++now,
    ...more,
  };
}

function skillOf(path: string, text: string, trust: ReadonlyMap<string, Skill['trust']>): Skill {
  const name = String(readFront(text, 'name'));
  return {
    name,
    form: path.endsWith('.md') ? 'document' : 'workflow',
    description: String(readFront(text, 'description')),
    version: String(readFront(text, 'version')),
    category: 'learned',
    tags: [],
    root: 'home',
    path,
    trust: trust.get(name) ?? 'own',
    triggers: { keywords: [], filePatterns: [], contextSignals: [] },
    needs: {
      platforms: [],
      tools: [],
      toolsets: [],
      fallbackForTools: [],
      fallbackForToolsets: [],
      variables: [],
    },
    body: text.replace(/^---\n[\s\S]*?\n---\n/, ''),
    digest: createHash('sha256').update(text).digest('hex'),
    createdFrom: (readFront(text, 'metadata.hermes.created_from') as string[] | undefined) ?? [],
  };
}

/** Skills that share enough words with the message. */
function matches(skills: readonly Skill[], text: string): SkillMatch[] {
  const asked = [...taskTerms(text)];
  return skills
    .map((skill) => {
      const said = taskTerms(`${skill.description} ${skill.body}`);
      return { skill, score: asked.filter((term) => said.has(term)).length / asked.length, because: [] };
    })
    .filter(({ score }) => score >= LEAST_SHARED)
    .toSorted((a, b) => b.score - a.score);
}

const bumped = (version: string): string => {
  const [major = '1', minor = '0'] = version.split('.');
  return `${major}.${Number(minor) + 1}.0`;
};

let made = 0;

/** A call that worked; with a `!` before the name, one that did not. */
export const step = (tool: string, input: unknown = {}, summary = ''): ExperienceStep => ({
  tool: tool.replace('!', ''),
  input,
  ok: !tool.startsWith('!'),
  ms: 1,
  summary: summary || `${tool.startsWith('!') ? 'error: not possible' : 'ok'}`,
});

export const experience = (
  task: string,
  path: readonly ExperienceStep[],
  more: Partial<Experience> = {},
): Experience => ({
  id: `exp_${++made}`,
  scope: 'person/cli/u',
  kind: 'chat',
  task,
  path: [...path],
  outcome: 'done',
  success: true,
  keyDecisions: [],
  toolCombos: [],
  durationMs: 1,
  tokens: 100,
  calls: path.length + 1,
  at: made,
  ...more,
});
