import { type FlagTable, type JudgedArgs, judgeFlags, writeFlags } from '../judge-flags.ts';

/** What a kubectl command line would do. `args` is how it is run. */
export type KubectlPlan =
  | {
      readonly kind: 'read' | 'change';
      readonly args: readonly string[];
      readonly context: string | undefined;
    }
  | { readonly kind: 'refused'; readonly reason: string };

const V = { value: true } as const;
const WHERE: FlagTable = { namespace: { short: 'n', ...V }, context: V };
const CHOICE: FlagTable = { selector: { short: 'l', ...V }, 'all-namespaces': { short: 'A' } };
const SHOWN: FlagTable = { output: { short: 'o', ...V }, 'no-headers': {} };

interface Verb {
  readonly change?: boolean;
  readonly flags: FlagTable;
  /** What is wrong with it beyond its flags. */
  check?(args: JudgedArgs): string | undefined;
  /** Added to what was asked for. */
  readonly extra?: readonly string[];
}

/** By the words that stand first. Nothing else runs. */
const VERBS: Readonly<Record<string, Verb>> = {
  get: {
    flags: {
      ...WHERE,
      ...CHOICE,
      ...SHOWN,
      'field-selector': V,
      'sort-by': V,
      'show-labels': {},
      'label-columns': { short: 'L', ...V },
      'ignore-not-found': {},
      'show-kind': {},
    },
    check: (args) => badOutput(args) ?? secretsShown(args),
    extra: ['--chunk-size=500'],
  },
  describe: {
    flags: { ...WHERE, ...CHOICE, 'show-events': {} },
    check: (args) => (namesSecrets(args) ? SECRETS : undefined),
  },
  logs: {
    flags: {
      ...WHERE,
      selector: { short: 'l', ...V },
      container: { short: 'c', ...V },
      'all-containers': {},
      tail: V,
      since: V,
      'since-time': V,
      previous: { short: 'p' },
      timestamps: {},
      prefix: {},
      'max-log-requests': V,
    },
  },
  'top pod': { flags: { ...WHERE, ...CHOICE, containers: {}, 'sort-by': V, 'no-headers': {} } },
  'top node': { flags: { ...WHERE, selector: { short: 'l', ...V }, 'sort-by': V, 'no-headers': {} } },
  events: { flags: { ...WHERE, 'all-namespaces': { short: 'A' }, for: V, types: V, 'no-headers': {} } },
  'rollout status': { flags: { ...WHERE }, extra: ['--watch=false'] },
  'rollout history': { flags: { ...WHERE, revision: V } },
  'api-resources': { flags: { context: V, namespaced: {}, 'no-headers': {} } },
  explain: { flags: { context: V, recursive: {} } },
  'auth can-i': { flags: { ...WHERE, 'all-namespaces': { short: 'A' } } },
  version: { flags: { context: V } },
  'config get-contexts': { flags: { 'no-headers': {} } },
  'config current-context': { flags: {} },
  scale: {
    change: true,
    flags: { ...WHERE, replicas: V, 'current-replicas': V, 'dry-run': V },
    check: oneTarget,
  },
  'rollout restart': { change: true, flags: { ...WHERE }, check: oneTarget },
  'rollout undo': { change: true, flags: { ...WHERE, 'to-revision': V, 'dry-run': V }, check: oneTarget },
  'delete pod': { change: true, flags: { ...WHERE, 'grace-period': V, 'dry-run': V }, check: namedPods },
  cordon: { change: true, flags: { context: V, 'dry-run': V }, check: oneTarget },
  uncordon: { change: true, flags: { context: V, 'dry-run': V }, check: oneTarget },
};

const SECRETS =
  'The data of Secrets is never shown. `get secrets` without -o yaml or json lists their names and types.';
const ALIASES: Readonly<Record<string, string>> = {
  pods: 'pod',
  po: 'pod',
  nodes: 'node',
  no: 'node',
  event: 'events',
  log: 'logs',
};

/** Decides by a list of what is allowed: verbs, flags and their values. */
export function judgeKubectl(written: readonly string[]): KubectlPlan {
  const words = written[0] === 'kubectl' ? written.slice(1) : written;
  const found = findVerb(words);
  if (!found)
    return refused(
      `kubectl ${words.slice(0, 2).join(' ')} is not allowed here. Allowed: ${Object.keys(VERBS).join(', ')}.`,
    );
  const judged = judgeFlags(found.rest, found.verb.flags);
  if (typeof judged === 'string') return refused(judged);
  const bad = found.verb.check?.(judged);
  if (bad) return refused(bad);
  const context = judged.flags.get('context');
  return {
    kind: found.verb.change && !isDryRun(judged) ? 'change' : 'read',
    args: [
      ...found.name.split(' '),
      ...judged.positionals,
      ...writeFlags(judged.flags),
      ...(found.verb.extra ?? []),
    ],
    context: typeof context === 'string' ? context : undefined,
  };
}

const refused = (reason: string): KubectlPlan => ({ kind: 'refused', reason });
const isDryRun = ({ flags }: JudgedArgs): boolean =>
  ['client', 'server'].includes(String(flags.get('dry-run')));

/** Two words first: `rollout` alone is no verb. `delete pod/x` is the pod `x`. */
function findVerb(
  words: readonly string[],
): { name: string; verb: Verb; rest: readonly string[] } | undefined {
  const [first = '', second = '', ...more] = words;
  const [type = '', ...names] = second.split('/');
  const verb = ALIASES[first] ?? first;
  const double = `${verb} ${ALIASES[type] ?? type}`;
  if (Object.hasOwn(VERBS, double)) {
    const rest = names.length > 0 ? [names.join('/'), ...more] : more;
    return { name: double, verb: VERBS[double] as Verb, rest };
  }
  return Object.hasOwn(VERBS, verb)
    ? { name: verb, verb: VERBS[verb] as Verb, rest: words.slice(1) }
    : undefined;
}

/** Formats that would read a file of this machine are not among them. */
function badOutput({ flags }: JudgedArgs): string | undefined {
  const output = flags.get('output');
  if (output === undefined || /^(?:wide|name|yaml|json)$/.test(String(output))) return undefined;
  if (/^(?:jsonpath|custom-columns)=./s.test(String(output))) return undefined;
  return 'Allowed outputs: wide, name, yaml, json, jsonpath=…, custom-columns=….';
}

function secretsShown(args: JudgedArgs): string | undefined {
  if (!namesSecrets(args)) return undefined;
  const output = args.flags.get('output') ?? 'wide';
  return output === 'wide' || output === 'name' ? (args.flags.has('sort-by') ? SECRETS : undefined) : SECRETS;
}

/** `secret/x`, `pods,secrets`, `Secret.v1.`: in every notation that kubectl takes. */
const namesSecrets = ({ positionals }: JudgedArgs): boolean =>
  positionals
    .flatMap((word) => word.split(','))
    .some((word) => /^secrets?$/i.test(word.split('/')[0]?.split('.')[0] ?? ''));

function oneTarget({ positionals, flags }: JudgedArgs): string | undefined {
  if (positionals.length === 0 || positionals.length > 2)
    return 'A change names exactly one thing, such as deployment/checkout.';
  if (positionals.some((word) => word.includes(','))) return 'A change names exactly one thing.';
  return dryRunValue(flags) ?? numbers(flags);
}

function namedPods({ positionals, flags }: JudgedArgs): string | undefined {
  if (positionals.length === 0) return 'Name the pods that are to be deleted.';
  if (positionals.length > 10) return 'At most ten pods at a time.';
  if (!positionals.every((name) => /^[a-z0-9][a-z0-9.-]*$/.test(name)))
    return 'Pods are named by their names alone.';
  if (flags.get('grace-period') === '0') return 'Deleting by force is not allowed here.';
  return dryRunValue(flags) ?? numbers(flags);
}

const dryRunValue = (flags: JudgedArgs['flags']): string | undefined =>
  flags.has('dry-run') && !/^(?:client|server|none)$/.test(String(flags.get('dry-run')))
    ? 'dry-run is client or server.'
    : undefined;

function numbers(flags: JudgedArgs['flags']): string | undefined {
  for (const name of ['replicas', 'current-replicas', 'to-revision', 'grace-period'])
    if (flags.has(name) && !/^\d{1,5}$/.test(String(flags.get(name)))) return `--${name} takes a number.`;
  return undefined;
}
