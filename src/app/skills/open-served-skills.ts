import type { LearnEvent } from '#engines/learning';
import { fail } from '#kit/app-error';
import type { Language } from '#kit/language';
import type { LockedSkill, Skill } from '#spec/data';
import type { Dependencies } from '../dependencies.ts';
import { approveSkillWrite } from './approve-skill-write.ts';
import type { HomeHub } from './home-skills.ts';
import { redactDeep } from '#kit/redact';
import { sharedAnswers } from '#kit/shared-answers';
import {
  type DraftView,
  draftView,
  editRow,
  type EditView,
  editView,
  type LearningView,
} from './learning-views.ts';
import { listSkills, readStanding, type SkillList, type Standing } from './list-skills.ts';
import type { Onlooker } from './onlooker.ts';
import { openRunDesk, type RunDesk, type StartRun } from './open-run-desk.ts';
import { showSkill, type SkillPage } from './show-skill.ts';
import { textDiff } from './text-diff.ts';

type Needs = Pick<
  Dependencies,
  | 'auxiliary'
  | 'builtInTools'
  | 'database'
  | 'engineTools'
  | 'env'
  | 'flows'
  | 'gate'
  | 'hub'
  | 'incidentFile'
  | 'incidents'
  | 'language'
  | 'log'
  | 'mcp'
  | 'memory'
  | 'onClose'
  | 'openPlace'
  | 'plugins'
  | 'profile'
  | 'redactor'
  | 'sees'
  | 'settings'
  | 'skills'
  | 'toolPlace'
  | 'tracing'
>;

/** The skills of a home for people who look from elsewhere. */
export interface ServedSkills {
  list(words: string): Promise<SkillList>;
  show(who: Onlooker, name: string, language: Language): Promise<SkillPage>;
  /** A file beside a `SKILL.md`. */
  file(name: string, path: string): Promise<{ readonly path: string; readonly text: string }>;
  /** Between two texts that it has had, by their digests; `current` is the one that is there. */
  diff(name: string, from: string, to: string): Promise<{ readonly diff: string }>;
  learning(who: Onlooker): Promise<LearningView>;
  edit(id: string): Promise<EditView>;
  undo(id: string): Promise<void>;
  pin(name: string, on: boolean): Promise<void>;
  restore(name: string): Promise<void>;
  /** A look at how skills do, or a tidying, now. */
  pass(which: 'reflect' | 'curate', signal: AbortSignal): Promise<readonly LearnEvent[]>;
  drafts(): Promise<readonly DraftView[]>;
  approveDraft(id: string): Promise<{ readonly said: string }>;
  rejectDraft(id: string): Promise<void>;
  readonly runs: Omit<RunDesk, 'start'> & {
    start(who: Onlooker, name: string, asked: StartRun): ReturnType<RunDesk['start']>;
  };
}

/** Everyone who asks within this time is told the same. */
const SHARED_MS = 2_000;
/** Judging what was installed reads every file of it. */
const AUDIT_MS = 15_000;
const MOST_EDITS = 200;

export async function openServedSkills(
  deps: Needs,
  { cwd }: { readonly cwd: string },
): Promise<ServedSkills> {
  const secrets = (await deps.redactor()).secrets;
  const clean = <T>(value: T): T => redactDeep(value, secrets);
  const desk = openRunDesk(deps, cwd);
  const standings = sharedAnswers<Standing>(SHARED_MS, Date.now);
  const checks = sharedAnswers<Checked>(AUDIT_MS, Date.now);
  let hub: Promise<HomeHub> | undefined;
  const skills = () => deps.skills(cwd);

  const installed = async (): Promise<Checked> =>
    checks('', async () => {
      hub ??= deps.hub(cwd);
      const open = await hub;
      const locked = await open.list();
      return { locked, audits: locked.length ? await open.audit() : [] };
    });
  const standing = () => standings('', async () => readStanding(await skills(), (await installed()).audits));
  const must = async (name: string): Promise<Skill> => {
    const skill = await (await skills()).library.find(name);
    if (!skill) throw fail('input.not_found', `There is no skill '${name}'.`);
    return skill;
  };
  const waiting = async () =>
    (await (await deps.memory()).staged.list()).filter(({ target }) => target === 'skill');
  const mustWait = async (id: string) => {
    const write = (await waiting()).find((one) => one.id === id);
    if (!write) throw fail('input.not_found', `No draft '${id}' is waiting.`);
    return write;
  };
  const textOf = async (skill: Skill, digest: string): Promise<string> => {
    const { library, history } = await skills();
    if (digest === 'current' || digest === skill.digest) return library.source(skill);
    const found = (await history.versions(skill.name)).find((version) => version.digest === digest);
    if (!found) throw fail('input.not_found', `'${skill.name}' has no such version.`);
    return found.text;
  };

  return {
    list: async (words) => clean(await listSkills(await skills(), await standing(), words)),
    show: async (who, name, language) => {
      const { locked } = await installed();
      const shelf = { deps, open: await skills(), cwd, standing: await standing(), locked };
      return clean(await showSkill(shelf, await must(name), who, language));
    },
    file: async (name, path) => {
      const { library } = await skills();
      const { text } = await library.view((await must(name)).name, path);
      return clean({ path, text });
    },
    diff: async (name, from, to) => {
      const skill = await must(name);
      const [before, after] = await Promise.all([textOf(skill, from), textOf(skill, to)]);
      return clean({ diff: textDiff(skill.path, before, after) });
    },
    learning: async ({ isOwner }) => {
      const { learning, history } = await skills();
      const { experiences, kinds, proposals, marks, curatedAt, sinceReflected } = await learning.status();
      const edits = await history.edits({ limit: MOST_EDITS });
      const { enabled, approve, threshold, reflect_every, stale_days, archive_days } = deps.settings.learning;
      const loop = {
        enabled,
        approve,
        threshold,
        reflectEvery: reflect_every,
        sinceReflected,
        staleDays: stale_days,
        archiveDays: archive_days,
        curatedAt,
        ...marks,
      };
      return clean({
        experiences,
        proposals,
        ...(isOwner ? { kinds } : {}),
        ledger: edits.map(editRow),
        loop,
      });
    },
    edit: async (id) => {
      const [edit] = await (await skills()).history.edits({ id, limit: 1 });
      if (!edit) throw fail('input.not_found', `There is no edit '${id}'.`);
      return clean(editView(edit));
    },
    undo: async (id) => (await skills()).learning.undo(id),
    pin: async (name, on) => (await skills()).learning.pin((await must(name)).name, on),
    restore: async (name) => void (await (await skills()).learning.restore((await must(name)).name)),
    pass: async (which, signal) => clean(await (await skills()).learning[which](signal)),
    drafts: async () => {
      const { files } = await skills();
      return clean(await Promise.all((await waiting()).map((write) => draftView(write, files))));
    },
    approveDraft: async (id) => {
      const said = await approveSkillWrite(deps, await mustWait(id));
      await (await deps.memory()).staged.take(id);
      return clean({ said });
    },
    rejectDraft: async (id) => {
      await mustWait(id);
      await (await deps.memory()).staged.take(id);
    },
    runs: {
      ...desk,
      list: async (who, filter) => clean(await desk.list(who, filter)),
      show: async (who, id) => clean(await desk.show(who, id)),
      start: async (who, name, asked) => desk.start(who, await must(name), asked),
    },
  };
}

interface Checked {
  readonly locked: readonly LockedSkill[];
  readonly audits: Standing['audits'];
}
