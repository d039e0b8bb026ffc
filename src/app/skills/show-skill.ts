import { explainFile, sourceOf } from './skill-desk.ts';
import { parseWorkflow } from '#engines/skills';
import { toErrorRecord } from '#kit/app-error';
import type { Language } from '#kit/language';
import type * as api from '#spec/api';
import type { LockedSkill, Skill } from '#spec/data';
import type { Dependencies } from '../dependencies.ts';
import type { HomeSkills } from './home-skills.ts';
import { skillRow, type Standing } from './list-skills.ts';
import { type Onlooker, viewFor } from './onlooker.ts';

type Needs = Pick<
  Dependencies,
  | 'auxiliary'
  | 'builtInTools'
  | 'database'
  | 'engineTools'
  | 'env'
  | 'flows'
  | 'gate'
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

export type SkillPage = api.Given<api.SkillPage>;

type Origin = api.Given<api.SkillOrigin>;

type Installed = api.Given<api.Installed>;

const MOST_USES = 1_000;
const MOST_ORIGINS = 50;

export interface SkillPageDeps {
  readonly deps: Needs;
  readonly open: HomeSkills;
  readonly cwd: string;
  readonly standing: Standing;
  readonly locked: readonly LockedSkill[];
}

export async function showSkill(
  { deps, open, cwd, standing, locked }: SkillPageDeps,
  skill: Skill,
  who: Onlooker,
  language: Language,
): Promise<SkillPage> {
  const { library, history } = open;
  const [source, { files, unset }, versions, uses] = await Promise.all([
    library.source(skill),
    library.view(skill.name),
    history.versions(skill.name),
    history.uses({ skill: skill.name, limit: MOST_USES }),
  ]);
  const { path, digest, triggers, needs, includes, body } = skill;
  return {
    skill: { ...skillRow(skill, standing), path, digest, triggers, needs, ...(includes ? { includes } : {}) },
    source,
    body,
    files,
    unset,
    versions: versions.map(({ version, digest: hash, why, from, state, at }) => {
      const own = uses.filter((use) => use.version === version);
      const successes = own.filter(({ success }) => success).length;
      return { version, digest: hash, why, from, state, at, uses: own.length, successes };
    }),
    uses: uses.map(({ version, success, followed, calls, tokens, durationMs, at }) => ({
      version,
      success,
      followed,
      calls,
      tokens,
      durationMs,
      at,
    })),
    origins: await originsOf(open, skill.createdFrom, who),
    ...(skill.form === 'workflow' ? await planOf(deps, open, skill, { who, cwd, language }) : {}),
    ...installedOf(skill, standing, locked),
  };
}

async function originsOf(
  { experiences }: HomeSkills,
  ids: readonly string[],
  { isOwner }: Onlooker,
): Promise<readonly Origin[]> {
  const wanted = ids.slice(-MOST_ORIGINS);
  const known = new Map(
    (wanted.length ? await experiences.list({ ids: wanted, limit: wanted.length }) : []).map((one) => [
      one.id,
      one,
    ]),
  );
  return wanted.map((id): Origin => {
    const found = known.get(id);
    if (!found) return { id, kind: id.startsWith('inc_') ? 'incident' : 'unknown' };
    const { kind, at, success, task, session } = found;
    const words = isOwner ? { task, ...(session === undefined ? {} : { session }) } : {};
    return { id, kind, at, success, ...words };
  });
}

async function planOf(
  deps: Needs,
  { library }: HomeSkills,
  skill: Skill,
  { who, cwd, language }: { readonly who: Onlooker; readonly cwd: string; readonly language: Language },
): Promise<Pick<SkillPage, 'plan' | 'planProblem'>> {
  try {
    const file = await sourceOf(library, skill);
    const plan = await explainFile(deps, file, { args: {}, cwd, language, view: viewFor(who) });
    const parsed = parseWorkflow(file.text, file.path, language);
    const declared = new Map(
      'workflow' in parsed ? parsed.workflow.arguments.map((one) => [one.name, one]) : [],
    );
    const described = plan.arguments.map((one) => {
      const { description, type, choices } = declared.get(one.name) ?? {};
      return {
        ...one,
        ...(description === undefined ? {} : { description }),
        ...(type === undefined ? {} : { type }),
        ...(choices === undefined ? {} : { choices }),
      };
    });
    return { plan: { ...plan, arguments: described } };
  } catch (thrown) {
    return { planProblem: toErrorRecord(thrown).message };
  }
}

function installedOf(
  { root, path }: Skill,
  { audits }: Standing,
  locked: readonly LockedSkill[],
): { installed?: Installed } {
  const isIn = (folder: { readonly path: string }) => root === 'home' && path.startsWith(`${folder.path}/`);
  const lock = locked.find(isIn);
  const audit = audits.find(isIn);
  if (!lock || !audit) return {};
  const { source, commit, publisher, trust, verdict, agreedTo, installedAt, updatedAt } = lock;
  const { state, changes, findings, verdict: verdictNow } = audit;
  return {
    installed: {
      source,
      ...(commit === undefined ? {} : { commit }),
      publisher,
      trust,
      verdict,
      agreedTo,
      installedAt,
      ...(updatedAt === undefined ? {} : { updatedAt }),
      state,
      changes,
      findings,
      verdictNow,
    },
  };
}
