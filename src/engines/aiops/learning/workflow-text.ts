import { parseDocument, stringify } from 'yaml';
import { isRecord } from '#kit/is-record';
import type { Evidence } from '#spec/data';
import type { Sieve } from './clean-text.ts';
import type { Story } from './story.ts';
import type { LessonWords } from './words.ts';

const MOST_STEPS = 12;

const READING: ReadonlySet<string> = new Set([
  'prom_top_anomalies',
  'prom_query',
  'loki_query',
  'trace_search',
  'recent_deploys',
]);

interface Step {
  readonly name: string;
  readonly action: string;
  readonly args: Readonly<Record<string, string | number | boolean>>;
  readonly output_key: string;
  readonly on_failure: string;
}

type Look = Pick<Step, 'name' | 'action' | 'args'>;

/**
 * A workflow that collects the evidence that decided, with tools that only read. With an existing one: what that has,
 * and what is new. Undefined when nothing decided, or somebody has made
 * something else of the existing one.
 */
export function workflowText(
  story: Story,
  words: LessonWords,
  sieve: Sieve,
  existing: string | undefined,
): string | undefined {
  const { category, service, slug, incident, deciding } = story;
  if (!category || !service || !deciding.length) return undefined;
  const old = existing === undefined ? undefined : readOld(existing);
  if (existing !== undefined && !old) return undefined;
  if (old?.sources.includes(incident.id)) return existing;
  const fault = words.categories[category];
  const anomalies: Look = {
    name: words.step.anomalies,
    action: 'prom_top_anomalies',
    args: { service: '{{service}}', window: '{{window}}' },
  };
  const looks = [
    ...(old?.looks ?? [anomalies]),
    ...deciding.flatMap((one) => lookOf(one, service, words, sieve)),
  ];
  const steps = distinct(looks).slice(0, MOST_STEPS).map(stepOf);
  const file = {
    skill: {
      name: `${slug.slice(0, 55)}-evidence`,
      version: `1.${old ? old.minor + 1 : 0}`,
      description: words.collect(service, fault),
      category: 'runbooks',
      tags: ['incident', service, category],
      created_from: [...(old?.sources ?? []), incident.id].slice(-20),
      arguments: {
        service: { type: 'string', default: service },
        window: { type: 'string', default: '15m' },
      },
      trigger: { keywords: [`${service} ${category.replaceAll('_', ' ')}`, `${service} ${fault}`] },
      execution: {
        steps,
        parallel_steps: [steps.map(({ name }) => name)],
        timeout_per_step: 60,
        total_timeout: 300,
      },
      output: {
        format: 'markdown',
        template: steps.map(({ name, output_key: key }) => `## ${name}\n\n{{${key}}}\n`).join('\n'),
      },
    },
  };
  return stringify(file, { lineWidth: 0 });
}

const stepOf = ({ name, action, args }: Look, index: number): Step => ({
  name: `${index + 1} ${name}`,
  action,
  args,
  output_key: `found_${index + 1}`,
  on_failure: 'warn_and_continue',
});

/** A text with one of these in it would be read as a template. */
const TEMPLATE = /\{\{|\$\{/;

function lookOf(
  evidence: Pick<Evidence, 'kind' | 'query' | 'service'>,
  service: string,
  words: LessonWords,
  sieve: Sieve,
): Look[] {
  const { kind, query } = evidence;
  const where =
    evidence.service === undefined || evidence.service === service ? '{{service}}' : evidence.service;
  const clean = sieve.line(query, 500);
  const usable =
    clean !== undefined &&
    clean === query &&
    !TEMPLATE.test(query) &&
    !TEMPLATE.test(where.replace('{{service}}', ''));
  if (kind === 'metric' && usable)
    return [{ name: words.step.metric, action: 'prom_query', args: { query, window: '{{window}}' } }];
  if (kind === 'log') {
    const text = searchedText(query);
    if (!usable && text !== '') return [];
    return [
      {
        name: words.step.log,
        action: 'loki_query',
        args: { service: where, query: text, window: '{{window}}' },
      },
    ];
  }
  if (kind === 'trace')
    return [
      {
        name: words.step.trace,
        action: 'trace_search',
        args: { service: where, error_only: true, window: '{{window}}' },
      },
    ];
  return kind === 'change'
    ? [{ name: words.step.change, action: 'recent_deploys', args: { service: where, since: '2h' } }]
    : [];
}

/** A query in the backend's language as it is; of ours, the text that is looked for. */
function searchedText(query: string): string {
  if (query.startsWith('{')) return query;
  return /\|= "([^"]{1,80})/.exec(query)?.[1] ?? 'error';
}

const keyOf = ({ action, args }: Look): string =>
  JSON.stringify([action, Object.entries(args).toSorted(([one], [other]) => (one < other ? -1 : 1))]);

const distinct = (looks: readonly Look[]): Look[] => [
  ...new Map(looks.map((look) => [keyOf(look), look])).values(),
];

/** What an earlier version collected; undefined when it is not one of ours any more, because it does other things too. */
function readOld(
  text: string,
):
  | { readonly looks: readonly Look[]; readonly sources: readonly string[]; readonly minor: number }
  | undefined {
  const document = parseDocument(text, { logLevel: 'silent' });
  const file: unknown = document.errors.length ? undefined : document.toJS({ maxAliasCount: 20 });
  const skill = isRecord(file) ? file['skill'] : undefined;
  const execution = isRecord(skill) ? skill['execution'] : undefined;
  if (!isRecord(skill) || !isRecord(execution) || !Array.isArray(execution['steps'])) return undefined;
  const steps: readonly unknown[] = execution['steps'];
  const looks = steps.flatMap((step): Look[] => {
    if (!isRecord(step) || !isRecord(step['args'])) return [];
    const { name, action } = step;
    if (typeof action !== 'string' || typeof name !== 'string' || !READING.has(action)) return [];
    return [{ name: name.replace(/^\d+ /, ''), action, args: step['args'] as Look['args'] }];
  });
  if (looks.length < steps.length) return undefined;
  const sources = Array.isArray(skill['created_from']) ? skill['created_from'].map(String) : [];
  const version = skill['version'];
  const minor = typeof version === 'string' ? Number(/\.(\d+)$/.exec(version)?.[1] ?? 0) : 0;
  return { looks, sources, minor };
}
