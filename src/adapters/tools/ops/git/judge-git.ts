import type { EffectLevel } from '#spec/ports';
import { type FlagTable, type JudgedArgs, judgeFlags, writeFlags } from '../judge-flags.ts';

/** What a git command line would do. `args` is how it is run. */
export type GitPlan =
  | { readonly kind: 'allowed'; readonly level: EffectLevel; readonly args: readonly string[] }
  | { readonly kind: 'refused'; readonly reason: string };

const V = { value: true } as const;
const DIFF: FlagTable = {
  stat: {},
  'name-only': {},
  'name-status': {},
  numstat: {},
  shortstat: {},
  unified: { short: 'U', ...V },
  'ignore-all-space': { short: 'w' },
  'word-diff': {},
  'find-renames': {},
  patch: { short: 'p' },
  'no-patch': { short: 's' },
};
const HISTORY: FlagTable = {
  'max-count': { short: 'n', ...V },
  skip: V,
  since: V,
  after: V,
  until: V,
  before: V,
  author: V,
  grep: V,
  oneline: {},
  graph: {},
  all: {},
  merges: {},
  'no-merges': {},
  reverse: {},
  follow: {},
  decorate: {},
  format: V,
  date: V,
  'first-parent': {},
};
/** Neither programs for showing differences nor other repositories are run or entered. */
const PLAIN = ['--no-ext-diff', '--no-textconv', '--ignore-submodules=all'];

interface Command {
  readonly flags: FlagTable;
  level(args: JudgedArgs): EffectLevel;
  readonly extra?: readonly string[];
  check?(args: JudgedArgs): string | undefined;
}

const reads = (): EffectLevel => 0;
const changes = (): EffectLevel => 2;
const loses = (): EffectLevel => 3;

/** Nothing else runs: what talks to other machines is for the terminal, whose commands are judged as a whole. */
const COMMANDS: Readonly<Record<string, Command>> = {
  status: {
    flags: { short: { short: 's' }, branch: { short: 'b' }, porcelain: {} },
    level: reads,
    extra: ['--ignore-submodules=all'],
  },
  log: { flags: { ...HISTORY, ...DIFF }, level: reads, extra: PLAIN },
  show: { flags: { ...DIFF, oneline: {}, format: V }, level: reads, extra: PLAIN },
  diff: {
    flags: { ...DIFF, cached: {}, staged: {}, 'merge-base': {} },
    level: reads,
    extra: PLAIN,
    check: staysInside,
  },
  blame: { flags: { 'line-range': { short: 'L', ...V }, 'ignore-whitespace': { short: 'w' } }, level: reads },
  shortlog: {
    flags: { summary: { short: 's' }, numbered: { short: 'n' }, since: V, until: V },
    level: reads,
    check: needsRevision,
  },
  reflog: {
    flags: { 'max-count': { short: 'n', ...V } },
    level: reads,
    check: ({ positionals }) =>
      /^(?:expire|delete)$/.test(positionals[0] ?? '') ? 'Only reading the reflog is allowed.' : undefined,
  },
  describe: { flags: { tags: {}, always: {} }, level: reads },
  'rev-parse': { flags: { 'abbrev-ref': {}, 'show-toplevel': {}, short: {} }, level: reads },
  'ls-files': {
    flags: { others: { short: 'o' }, modified: { short: 'm' }, 'exclude-standard': {} },
    level: reads,
  },
  grep: {
    flags: {
      'ignore-case': { short: 'i' },
      'line-number': { short: 'n' },
      'files-with-matches': { short: 'l' },
      'fixed-strings': { short: 'F' },
      'extended-regexp': { short: 'E' },
      'word-regexp': { short: 'w' },
      count: { short: 'c' },
    },
    level: reads,
    extra: ['--no-textconv'],
  },
  remote: {
    flags: { verbose: { short: 'v' } },
    level: reads,
    check: ({ positionals }) => (positionals.length > 0 ? 'Only `remote -v` is allowed.' : undefined),
  },
  branch: {
    flags: {
      list: {},
      all: { short: 'a' },
      remotes: { short: 'r' },
      verbose: { short: 'v' },
      contains: V,
      'show-current': {},
      delete: { short: 'd' },
    },
    level: ({ positionals, flags }) =>
      flags.has('delete') ? 3 : positionals.length > 0 && !flags.has('list') ? 2 : 0,
  },
  tag: {
    flags: { list: { short: 'l' }, contains: V, message: { short: 'm', ...V }, annotate: { short: 'a' } },
    level: ({ positionals, flags }) => (positionals.length > 0 && !flags.has('list') ? 2 : 0),
  },
  add: { flags: { all: { short: 'A' }, update: { short: 'u' } }, level: changes },
  commit: {
    flags: {
      message: { short: 'm', ...V },
      all: { short: 'a' },
      amend: {},
      'allow-empty': {},
      'no-edit': {},
      signoff: { short: 's' },
    },
    level: ({ flags }) => (flags.has('amend') ? 3 : 2),
    check: ({ flags }) =>
      flags.has('message') || flags.has('no-edit') ? undefined : 'A commit needs a message: -m.',
  },
  switch: { flags: { create: { short: 'c', ...V } }, level: changes, extra: ['--no-recurse-submodules'] },
  restore: {
    flags: { staged: { short: 'S' }, source: V },
    level: ({ flags }) => (flags.has('staged') ? 2 : 3),
    extra: ['--no-recurse-submodules'],
  },
  'stash push': { flags: { message: { short: 'm', ...V }, 'include-untracked': {} }, level: changes },
  'stash list': { flags: {}, level: reads },
  'stash pop': { flags: {}, level: changes },
  'stash drop': { flags: {}, level: loses },
  revert: {
    flags: { 'no-edit': {}, 'no-commit': {} },
    level: changes,
    check: ({ flags }) => (flags.has('no-edit') || flags.has('no-commit') ? undefined : 'Add --no-edit.'),
  },
};

/** Decides by a list of commands and their options; abbreviations of options are not taken. */
export function judgeGit(written: readonly string[]): GitPlan {
  const words = written[0] === 'git' ? written.slice(1) : written;
  const [first = '', second = ''] = words;
  const name = Object.hasOwn(COMMANDS, `${first} ${second}`) ? `${first} ${second}` : first;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command)
    return {
      kind: 'refused',
      reason: `git ${first} is not allowed here. Allowed: ${Object.keys(COMMANDS).join(', ')}.`,
    };
  const rest = words.slice(name.split(' ').length);
  // Behind `--` everything is a path.
  const split = rest.indexOf('--');
  const paths = split < 0 ? [] : rest.slice(split + 1);
  const judged = judgeFlags((split < 0 ? rest : rest.slice(0, split)).map(asMaxCount), command.flags);
  if (typeof judged === 'string') return { kind: 'refused', reason: judged };
  const whole = { ...judged, positionals: [...judged.positionals, ...paths] };
  const bad = command.check?.(whole);
  if (bad) return { kind: 'refused', reason: bad };
  const args = [
    ...name.split(' '),
    ...options(name, judged),
    ...(command.extra ?? []),
    ...judged.positionals,
  ];
  return { kind: 'allowed', level: command.level(whole), args: split < 0 ? args : [...args, '--', ...paths] };
}

/** `-5` as people write it. */
const asMaxCount = (arg: string): string => (/^-\d+$/.test(arg) ? `--max-count=${arg.slice(1)}` : arg);

/** `blame -L` has no long form, and `--follow` and the like must not be `--follow=true`. */
const options = (name: string, { flags }: JudgedArgs): string[] => {
  const range = name === 'blame' ? flags.get('line-range') : undefined;
  const others = new Map([...flags].filter(([flag]) => name !== 'blame' || flag !== 'line-range'));
  if (name === 'blame' && others.delete('ignore-whitespace')) return [...(range ? [`-L${range}`] : []), '-w'];
  return [...(range ? [`-L${range}`] : []), ...writeFlags(others)];
};

/** Of two paths of which one lies elsewhere, `diff` shows both files in full, and asks no repository. */
function staysInside({ positionals }: JudgedArgs): string | undefined {
  const outside = positionals.find((word) => /^[/~]|(?:^|\/)\.\.(?:\/|$)/.test(word));
  return outside === undefined
    ? undefined
    : `${outside} may lie outside of the repository; name paths below its folder.`;
}

function needsRevision({ positionals }: JudgedArgs): string | undefined {
  return positionals.length > 0
    ? undefined
    : 'Name a revision, such as HEAD: without one it would read from its input.';
}
