import { homedir } from 'node:os';
import { sep } from 'node:path';
import { openCheckpoints, realPathOf, turnCheckpoints } from '#adapters/checkpoints';
import type { Checkpoints } from '#spec/ports';
import type { LoadedConfig } from '../config/load-config.ts';
import type { Home } from '../home.ts';

export interface WorkspaceCheckpoints {
  readonly checkpoints: Checkpoints;
  /** Keeps the workspace as it is, once in each turn. */
  beforeChange(turn: number): Promise<void>;
}

/**
 * Undefined where they are switched off, git is not there, or the workspace is no project: `/`, a whole home, or the
 * home of Hermes, whose secrets would be copied.
 */
export async function openWorkspaceCheckpoints(
  home: Home,
  { config, env }: LoadedConfig,
  workspace: string,
  git: string | undefined,
): Promise<WorkspaceCheckpoints | undefined> {
  if (!config.tools.checkpoints || !git) return undefined;
  const real = await realPathOf(workspace);
  const own = await realPathOf(home.base);
  if (['/', await realPathOf(env.HOME ?? homedir())].includes(real) || isInside(real, own)) return undefined;
  const checkpoints = await openCheckpoints({
    workspace,
    git,
    folder: home.dir('checkpoints'),
    hidden: [home.base],
  });
  const problems: string[] = [];
  const turns = turnCheckpoints(checkpoints, (problem) => problems.push(problem));
  let current = -1;
  return {
    checkpoints,
    beforeChange: async (turn) => {
      if (turn !== current) turns.begin(`before turn ${turn}`);
      current = turn;
      await turns.beforeChange();
    },
  };
}

const isInside = (path: string, folder: string): boolean => `${path}${sep}`.startsWith(`${folder}${sep}`);
