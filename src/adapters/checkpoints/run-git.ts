import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { fail } from '#kit/app-error';

export interface GitPlace {
  readonly git: string;
  readonly gitDir: string;
  readonly workspace: string;
}

interface GitCall {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export type RunGit = (args: readonly string[], call?: GitCall) => Promise<string>;

const MOST_OUTPUT = 256 * 1024 * 1024;
const TIME_MS = 120_000;

/** Nothing that a workspace or a user has configured takes part: no hooks, filters, drivers, monitors or helpers. */
const SETTINGS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.untrackedCache=false',
  'core.autocrlf=false',
  'core.safecrlf=false',
  'core.symlinks=true',
  'core.fileMode=true',
  'core.quotePath=false',
  'core.precomposeUnicode=false',
  'core.attributesFile=/dev/null',
  'core.excludesFile=/dev/null',
  'core.pager=cat',
  'commit.gpgSign=false',
  'diff.external=',
  'gc.auto=0',
  'maintenance.auto=false',
  'protocol.allow=never',
];

/** Git on a repository of our own beside the workspace; the environment of Hermes is not passed on. */
export function gitRunner({ git, gitDir, workspace }: GitPlace): RunGit {
  const settings = SETTINGS.flatMap((setting) => ['-c', setting]);
  const env = {
    PATH: `${dirname(git)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: gitDir,
    LC_ALL: 'C',
    GIT_DIR: gitDir,
    GIT_WORK_TREE: workspace,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_AUTHOR_NAME: 'Hermes',
    GIT_AUTHOR_EMAIL: 'hermes@localhost',
    GIT_COMMITTER_NAME: 'Hermes',
    GIT_COMMITTER_EMAIL: 'hermes@localhost',
  };
  return (args, { input = '', env: more = {} } = {}) =>
    new Promise((done, failed) => {
      const options = { cwd: workspace, env: { ...env, ...more }, maxBuffer: MOST_OUTPUT, timeout: TIME_MS };
      const child = execFile(git, [...settings, ...args], options, (error, stdout, stderr) => {
        if (!error) return done(stdout);
        const said = stderr.trim().split('\n', 1)[0] || error.message.split('\n', 1)[0];
        failed(fail('tool.failed', `checkpoints: git ${args[0]}: ${said}`, undefined, error));
      });
      // It may end without reading; its exit tells why.
      child.stdin?.on('error', () => undefined);
      child.stdin?.end(input);
    });
}

/** Parts of an output in which each ends with a NUL. */
export const nulParts = (text: string): string[] => text.split('\0').filter((part) => part !== '');
export const toNul = (paths: readonly string[]): string => paths.map((path) => `${path}\0`).join('');
