import type { ServiceLabels } from '../wire/connection-settings.ts';
import { literal, quoted } from '../wire/query-text.ts';
import { type NameRule, relabelled } from './promql.ts';

/** How the services of one family are told apart. */
export interface Naming {
  /** The label that holds the name after `apply`. */
  readonly by: string;
  apply(expression: string): string;
  /** Matchers that together find the asked services; one that is empty where all are asked. */
  readonly matchers: readonly string[];
}

/** Letters that Kubernetes makes the ends of names of: no vowels, so that no words arise. */
const RANDOM = '[bcdfghjklmnpqrstvwxz2456789]';
/** What a pod belongs to, the least telling first: itself, StatefulSet, DaemonSet, Deployment. */
const POD_RULES: readonly NameRule[] = [
  { label: 'pod', pattern: '(.+)', replacement: '$1' },
  { label: 'pod', pattern: '(.+)-[0-9]{1,3}', replacement: '$1' },
  { label: 'pod', pattern: `(.+)-${RANDOM}{5}`, replacement: '$1' },
  { label: 'pod', pattern: `(.+)-${RANDOM}{6,10}-${RANDOM}{5}`, replacement: '$1' },
];
const KEY = 'hermes_key';

/**
 * The names of services in a family that has `present` labels. `labels` are those of them that name
 * services, tried in order for each series; `own` says which labels a service has that does not bear its own name.
 */
export function serviceNaming(
  labels: readonly string[],
  present: ReadonlySet<string>,
  own: ServiceLabels,
  asked: readonly string[] | undefined,
): Naming | undefined {
  const mapped = Object.entries(own).filter(
    ([service, matchers]) =>
      (!asked || asked.includes(service)) && Object.keys(matchers).every((label) => present.has(label)),
  );
  if (labels.length === 0 && mapped.length === 0) return undefined;
  const [only] = labels;
  const isPlain = labels.length === 1 && only !== undefined && only !== 'pod' && mapped.length === 0;
  return {
    by: isPlain ? only : 'hermes_service',
    apply: (expression) =>
      isPlain ? expression : renamed(relabelled(expression, 'hermes_service', rulesOf(labels)), mapped),
    matchers: asked ? matchersOf(labels, mapped, asked) : [''],
  };
}

/** A label out of several: the first that is there counts. */
export function firstOf(
  target: string,
  candidates: readonly string[],
  present: ReadonlySet<string>,
): Pick<Naming, 'by' | 'apply'> | undefined {
  const labels = candidates.filter((label) => present.has(label));
  const [only] = labels;
  if (only === undefined) return undefined;
  if (labels.length === 1) return { by: only, apply: (expression) => expression };
  return { by: target, apply: (expression) => relabelled(expression, target, rulesOf(labels)) };
}

const rulesOf = (labels: readonly string[]): NameRule[] =>
  labels
    .toReversed()
    .flatMap((label) => (label === 'pod' ? POD_RULES : [{ label, pattern: '(.+)', replacement: '$1' }]));

/** Services that the operator described by labels. Several labels are joined into one first. */
function renamed(
  expression: string,
  mapped: readonly (readonly [string, Readonly<Record<string, string>>])[],
) {
  return mapped.reduce((inner, [service, matchers]) => {
    const labels = Object.keys(matchers).toSorted();
    const [first = ''] = labels;
    const replacement = service.replaceAll('$', '$$$$');
    const values = labels.map((label) => matchers[label] ?? '');
    const pattern = literal(values.join(';'));
    if (labels.length === 1)
      return relabelled(inner, 'hermes_service', [{ label: first, pattern, replacement }]);
    const joined = `label_join(${inner}, ${quoted(KEY)}, ";", ${labels.map(quoted).join(', ')})`;
    return relabelled(joined, 'hermes_service', [{ label: KEY, pattern, replacement }]);
  }, expression);
}

function matchersOf(
  labels: readonly string[],
  mapped: readonly (readonly [string, Readonly<Record<string, string>>])[],
  asked: readonly string[],
): string[] {
  const names = asked.map(literal).join('|');
  const own = mapped.map(([, matchers]) =>
    Object.entries(matchers)
      .map(([label, value]) => `${label}=${quoted(value)}`)
      .join(','),
  );
  const plain = labels.map((label) =>
    label === 'pod' ? `pod=~${quoted(`(?:${names})(?:-.+)?`)}` : `${label}=~${quoted(names)}`,
  );
  return [...own, ...plain];
}
