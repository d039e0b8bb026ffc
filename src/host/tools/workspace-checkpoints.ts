import { homedir } from 'node:os';
import { sep } from 'node:path';
import { openCheckpoints, realPathOf, turnCheckpoints } from '#adapters/checkpoints';
import type { Language } from '#kit/language';
import type { Unkept, WorkspaceCheckpoints } from '#app/tools';
import type { LoadedConfig } from '../config/load-config.ts';
import type { Home } from '../home.ts';

/**
 * There are none where they are switched off, git is not there, or the workspace is no project: `/`, a whole home, or
 * the home of Hermes, whose secrets would be copied.
 */
export async function openWorkspaceCheckpoints(
  home: Home,
  loaded: LoadedConfig,
  workspace: string,
  git: string | undefined,
  language: Language,
): Promise<WorkspaceCheckpoints> {
  const say = TEXT[language];
  // Whoever switched them off knows.
  if (!loaded.config.tools.checkpoints) return { absent: say.off, beforeChange: async () => undefined };
  const told = new Set<string>();
  const unkept = (problem: string): Unkept => {
    const isNews = !told.has(problem);
    told.add(problem);
    return { text: say.unkept(problem), isNews };
  };
  const refused = git ? await refusal(home, loaded, workspace) : 'git';
  if (!git || refused) {
    const absent = say[refused ?? 'git'];
    const first = oncePerRun();
    return { absent, beforeChange: async ({ run }) => (first(run) ? unkept(absent) : undefined) };
  }
  const checkpoints = await openCheckpoints({
    workspace,
    git,
    folder: home.dir('checkpoints'),
    hidden: [home.base],
  });
  const keep = turnCheckpoints(checkpoints);
  return {
    checkpoints,
    beforeChange: async (turn) => {
      const { problem, isFirst } = await keep(turn);
      return problem !== undefined && isFirst ? unkept(problem) : undefined;
    },
  };
}

async function refusal(
  home: Home,
  { env }: LoadedConfig,
  workspace: string,
): Promise<'home' | 'hermesHome' | undefined> {
  const real = await realPathOf(workspace);
  if (['/', await realPathOf(env.HOME ?? homedir())].includes(real)) return 'home';
  return isInside(real, await realPathOf(home.base)) ? 'hermesHome' : undefined;
}

/** Whether a run has not been seen; of the runs before, the last one is known. */
function oncePerRun(): (run: string) => boolean {
  let last = '';
  return (run) => {
    const isNew = run !== last;
    last = run;
    return isNew;
  };
}

const isInside = (path: string, folder: string): boolean => `${path}${sep}`.startsWith(`${folder}${sep}`);

const TEXT = {
  en: {
    off: 'checkpoints are switched off (`hermes config set tools.checkpoints true`)',
    git: 'git is not installed',
    home: 'the working folder is `/` or a home folder; start Hermes in the folder of one project',
    hermesHome: 'the working folder is the home of Hermes',
    unkept: (problem: string) =>
      `No checkpoint could be taken before this change, so \`/rollback\` cannot take it back: ${problem}.`,
  },
  zh: {
    off: '检查点已关闭（`hermes config set tools.checkpoints true` 可开启）',
    git: '未安装 git',
    home: '工作目录是 `/` 或用户主目录；请在单个项目的目录中启动 Hermes',
    hermesHome: '工作目录是 Hermes 的主目录',
    unkept: (problem: string) => `此改动之前未能建立检查点，\`/rollback\` 无法撤回此改动：${problem}。`,
  },
} as const;
