import type { ToolPlace } from '#spec/ports';

/**
 * Above every file of settings: looking at a repository starts no monitor and checks no signature, and nothing is
 * signed or fetched. What keeps a repository from doing harm is the place where git runs, not this list.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  'core.fsmonitor': 'false',
  'gpg.program': 'false',
  'gpg.openpgp.program': 'false',
  'gpg.x509.program': 'false',
  'gpg.ssh.program': 'false',
  'commit.gpgSign': 'false',
  'tag.gpgSign': 'false',
  'log.showSignature': 'false',
  'grep.fallbackToNoIndex': 'false',
  'submodule.recurse': 'false',
  'protocol.allow': 'never',
  'safe.bareRepository': 'explicit',
  'gc.auto': '0',
};
const PLAIN: Readonly<Record<string, string>> = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_PAGER: 'cat',
  GIT_EDITOR: 'false',
};
const IDENTITY = ['GIT_AUTHOR_NAME', 'GIT_AUTHOR_EMAIL', 'GIT_COMMITTER_NAME', 'GIT_COMMITTER_EMAIL'];

/** What git gets besides the environment of every command. It only takes powers away, and tells who commits. */
export function gitEnvironment(place: Pick<ToolPlace, 'key'>): Record<string, string> {
  const who = IDENTITY.flatMap((name) => {
    const value = place.key(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...PLAIN, ...asVariables(SETTINGS), ...Object.fromEntries(who) };
}

function asVariables(settings: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(settings);
  const pairs = entries.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return Object.fromEntries([['GIT_CONFIG_COUNT', String(entries.length)], ...pairs]);
}
