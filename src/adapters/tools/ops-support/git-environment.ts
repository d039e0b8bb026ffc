import type { ToolPlace } from '#spec/ports';
import { runProgram } from './run-program.ts';

/** Above every file of settings, whoever wrote it: a repository must not be able to run programs by being looked at. */
const SETTINGS: Readonly<Record<string, string>> = {
  'core.fsmonitor': 'false',
  'core.hooksPath': '/dev/null',
  'core.pager': 'cat',
  'core.editor': 'false',
  'sequence.editor': 'false',
  'core.askPass': 'false',
  'core.sshCommand': 'false',
  'core.gitProxy': '',
  'credential.helper': '',
  'diff.external': '',
  'diff.ignoreSubmodules': 'all',
  'submodule.recurse': 'false',
  'status.submoduleSummary': 'false',
  'gpg.program': 'false',
  'gpg.ssh.program': 'false',
  'commit.gpgSign': 'false',
  'tag.gpgSign': 'false',
  'log.showSignature': 'false',
  'protocol.allow': 'never',
  'safe.bareRepository': 'explicit',
  'gc.auto': '0',
  'maintenance.auto': 'false',
};
const ENVIRONMENT: Readonly<Record<string, string>> = {
  LC_ALL: 'C.UTF-8',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_PAGER: 'cat',
  GIT_EDITOR: 'false',
  GIT_NO_LAZY_FETCH: '1',
};
/** Settings with a name of their own in the middle, each of which is a program. */
const PROGRAMS =
  /^(?:filter\..+\.(?:clean|smudge|process)|diff\..+\.(?:command|textconv)|merge\..+\.driver|trailer\..+\.(?:cmd|command))$/;
const NAMED_FLAGS = /^filter\..+\.required$/;

/** `blame` turns files into text whatever it is told, and fails on an empty program. */
const harmless = (name: string): string => (name.endsWith('.textconv') ? 'cat' : '');

/** The environment in which git runs in a folder. The settings that it finds there are read first, which runs nothing. */
export async function gitEnvironment(
  git: string,
  cwd: string,
  place: ToolPlace,
  signal: AbortSignal,
): Promise<Record<string, string>> {
  const plain = {
    ...ENVIRONMENT,
    PATH: place.key('PATH') ?? '/usr/bin:/bin',
    ...(place.key('HOME') ? { HOME: place.key('HOME') ?? '' } : {}),
  };
  const env = { ...plain, ...asVariables(SETTINGS) };
  const names = await ownSettings(git, cwd, env, signal);
  const programs = names.filter((name) => PROGRAMS.test(name)).map((name) => [name, harmless(name)] as const);
  const flags = names.filter((name) => NAMED_FLAGS.test(name)).map((name) => [name, 'false'] as const);
  return { ...plain, ...asVariables({ ...SETTINGS, ...Object.fromEntries([...programs, ...flags]) }) };
}

/** The names of the settings that the repository brings along; those of the user, such as Git LFS, are left alone. */
async function ownSettings(git: string, cwd: string, env: Record<string, string>, signal: AbortSignal) {
  const args = ['config', '--list', '--show-scope', '--name-only', '-z'];
  const listed = await runProgram(
    { program: git, args, env, cwd, timeoutMs: 10_000, maxBytes: 1_000_000 },
    signal,
  );
  const words = listed.stdout.split('\0');
  return words.filter((_, at) => at % 2 === 1 && /^(?:local|worktree)$/.test(words[at - 1] ?? ''));
}

function asVariables(settings: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(settings);
  const pairs = entries.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return Object.fromEntries([['GIT_CONFIG_COUNT', String(entries.length)], ...pairs]);
}
