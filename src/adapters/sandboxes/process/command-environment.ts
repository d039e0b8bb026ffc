import { hostname } from 'node:os';
import { looksSecret } from '#kit/looks-secret';

type Variables = Readonly<Record<string, string | undefined>>;

/** What a command may know of the environment that Hermes runs in. */
const PASSED = new Set([
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'LANG',
  'LANGUAGE',
  'TERM',
  'TZ',
  'COLORTERM',
  'TMPDIR',
]);
const PASSED_FAMILY = /^LC_[A-Z]+$/;

const PLAIN_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** The small environment of a command: a few harmless names, and those listed in `more` that do not look like keys. */
export function commandEnvironment(env: Variables, more: readonly string[] = []): Record<string, string> {
  const passes = (name: string) =>
    PASSED.has(name) || PASSED_FAMILY.test(name) || (more.includes(name) && !looksSecret(name));
  const passed = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && passes(entry[0]),
  );
  return {
    PATH: PLAIN_PATH,
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    HOSTNAME: hostname(),
    ...Object.fromEntries(passed),
  };
}
