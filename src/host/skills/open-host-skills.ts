import { dirname, join } from 'node:path';
import { openLearningDatabase, readText, skillFiles } from '#adapters/store';
import type { HomeSkills } from '#app/skills';
import type { Redactor } from '#app';
import { type LearningDeps, openLearning, trialShelf } from '#engines/learning';
import {
  type Available,
  judgeSkill,
  openSkillLibrary,
  skillWriter,
  type SkillWriter,
  trustByLock,
  validateWorkflow,
} from '#engines/skills';
import type { Skill, SkillTrust } from '#spec/data';
import type { AskModel, Tool } from '#spec/ports';
import type { LoadedConfig } from '../config/load-config.ts';
import type { Home } from '../home.ts';
import { packageFolder } from '../shipped.ts';
import { builtInTools } from '../tools/built-in-tools.ts';

export interface HostSkillsOptions {
  readonly home: Home;
  readonly loaded: LoadedConfig;
  readonly cwd: string;
  readonly redactor: Redactor;
  /** Folders of skills that plugins bring. */
  readonly plugins: readonly { readonly path: string; readonly trust: SkillTrust }[];
  readonly askModel: AskModel;
  /** What the loop writes with: the writer itself, or one that has its wishes wait. */
  readonly penFor: (writer: SkillWriter, experiences: LearningDeps['experiences']) => LearningDeps['pen'];
  /** Whether a model is there to be asked. */
  readonly hasModel: boolean;
}

const LEARNED = 'learned/';
const TIDIED = 'host.tidied';
const DAY_MS = 86_400_000;
const MOST_WRITTEN = 4_000;

export async function openHostSkills(options: HostSkillsOptions): Promise<HomeSkills> {
  const { home, loaded, cwd, plugins, askModel, hasModel } = options;
  const { skills: settings, learning: learns } = loaded.config;
  await home.make();
  const folder = home.dir('skills');
  const locked = trustByLock(await readText(join(folder, 'hub.lock.json')));
  const trusted = settings.projects.some((project) => cwd === project || cwd.startsWith(`${project}/`));
  const roots = { home: folder, builtin: packageFolder('skills'), project: join(cwd, '.hermes', 'skills') };
  const files = skillFiles({
    builtin: roots.builtin,
    home: folder,
    plugins,
    ...(trusted ? { project: roots.project } : {}),
    trustOf: (path) => locked(path) ?? (path.startsWith(LEARNED) ? 'own' : 'user'),
  });
  const { experiences, history, marks, close } = await openLearningDatabase(home.file('learning.db'), {
    clean: options.redactor.text,
  });
  const { secrets } = options.redactor;
  let tools = new Map((await builtInTools()).map((tool) => [tool.name, tool]));
  const available = (): Available => ({
    tools: new Set([...tools.keys(), ...ALWAYS]),
    toolsets: new Set([...tools.values()].map(({ toolset }) => toolset)),
    platform: process.platform,
    variables: new Set(Object.keys(loaded.env).filter((name) => loaded.env[name])),
    disabled: new Set(settings.disabled),
  });
  const folderOf = ({ root, path }: Skill) =>
    root === 'plugin' ? undefined : join(roots[root], dirname(path));
  const library = openSkillLibrary({ files, available, history, folderOf });
  const writer = skillWriter({
    files,
    history,
    guard: judgeSkill,
    now: Date.now,
    wrote: () => library.refresh(),
  });
  const learning = openLearning({
    experiences,
    history,
    marks,
    files,
    shelf: library,
    pen: options.penFor(writer, experiences),
    now: Date.now,
    settings: {
      draftAfter: learns.threshold,
      reflectEvery: learns.reflect_every,
      staleDays: learns.stale_days,
      archiveDays: learns.archive_days,
    },
    secrets: () => secrets,
    rehearse: async (text) => rehearse(text, tools),
    trial: () => trialShelf(files, (worn) => openSkillLibrary({ files: worn, available })),
    ...(hasModel
      ? {
          write: (prompt, signal) =>
            askModel([{ type: 'text', text: prompt }], { maxOutput: MOST_WRITTEN, signal }),
        }
      : {}),
  });
  return {
    library,
    writer,
    files,
    history,
    experiences,
    learning,
    tidy: async () => {
      const last = Number((await marks.get(TIDIED)) ?? 0);
      if (Date.now() - last < DAY_MS) return [];
      await marks.set(TIDIED, Date.now());
      return learning.curate();
    },
    see: (seen) => {
      tools = new Map(seen.map((tool) => [tool.name, tool]));
    },
    close,
  };
}

/** Tools of the engines themselves, which every conversation has. */
const ALWAYS = ['memory', 'memory_search', 'skills_list', 'skill_view', 'skill_manage', 'skill_run'];

async function rehearse(text: string, tools: ReadonlyMap<string, Tool>): Promise<string | undefined> {
  const checked = await validateWorkflow(text, 'draft.yaml', {
    find: (name) => tools.get(name),
    names: [...tools.keys()],
  });
  const [first] = checked.problems;
  return first && `${first.problem}. ${first.fix}`;
}
