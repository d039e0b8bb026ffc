import { fingerprintOf, metricOf, normalizeSeverity, serviceOf, severityOfWord } from '#kit/alert-labels';
import { fail } from '#kit/app-error';
import { isRecord } from '#kit/is-record';
import type { Alert } from '#spec/data';
import { readInstant } from '../read-instant.ts';
import { followPath, parsePath } from './webhook-path.ts';
import type { Field, Fields, Hook } from './webhook-settings.ts';

const OVER =
  /^(?:resolved?|ok|okay|closed?|recover(?:ed|y)|normal|inactive|cleared?|up|success|green|恢复|已恢复)$/i;

interface Scope {
  readonly name: string;
  readonly payload: unknown;
  /** The alert within the payload. */
  readonly item: unknown;
}

/** The alerts of a payload, each field where the mapping says. An error names what, where, and how to mend it. */
export function mapAlerts(name: string, hook: Hook, payload: unknown, now: number): Alert[] {
  return itemsOf(name, hook, payload).map((item) => mapAlert({ name, payload, item }, hook, now));
}

function itemsOf(name: string, hook: Hook, payload: unknown): readonly unknown[] {
  if (hook.alerts === undefined) return [payload];
  const found = at({ name, payload, item: payload }, hook.alerts);
  if (!found.found) throw mismatch(name, 'alerts', hook.alerts, found.why);
  if (!Array.isArray(found.value)) throw mismatch(name, 'alerts', hook.alerts, 'there is no list there');
  return found.value;
}

function mapAlert(scope: Scope, { map, resolved }: Hook, now: number): Alert {
  const text = (field: keyof typeof map): string | undefined => {
    const given = map[field];
    return given === undefined ? undefined : readField(scope, `map.${field}`, given as Field);
  };
  const instant = (field: 'startsAt' | 'endsAt'): string | undefined => {
    const said = text(field);
    return said === undefined ? undefined : readInstant(said, `Webhook '${scope.name}': '${field}'`);
  };
  const labels = readFields(scope, 'map.labels', map.labels);
  const annotations = readFields(scope, 'map.annotations', map.annotations);
  const title = text('title');
  if (!title)
    throw fail('input.invalid', `Webhook '${scope.name}': 'title' is empty.`, mend(scope.name, 'map.title'));
  const status = text('status') ?? '';
  const isOver = OVER.test(status) || resolved.some((word) => word.toLowerCase() === status.toLowerCase());
  const service = text('service') ?? serviceOf(labels);
  const link = text('link');
  const metric = text('metric') ?? metricOf(labels, annotations, link);
  const endsAt = isOver ? instant('endsAt') : undefined;
  return {
    fingerprint: `${scope.name}:${text('fingerprint') ?? fingerprintOf({ ...labels, title, service: service ?? '' })}`,
    source: `webhook/${scope.name}`,
    status: isOver ? 'resolved' : 'firing',
    title,
    severity: severityOfWord(text('severity') ?? '') ?? normalizeSeverity(labels, annotations),
    ...(service ? { service } : {}),
    ...(metric ? { metric } : {}),
    labels,
    annotations,
    startsAt: instant('startsAt') ?? new Date(now).toISOString(),
    ...(endsAt === undefined ? {} : { endsAt }),
    ...(link ? { link } : {}),
  };
}

function readField(scope: Scope, key: string, field: Field): string | undefined {
  if (typeof field === 'object' && 'value' in field) return field.value;
  const { path, default: fallback, optional } = typeof field === 'string' ? { path: field } : field;
  const found = at(scope, path);
  if (!found.found) {
    if (fallback !== undefined || optional) return fallback;
    throw mismatch(scope.name, key, path, found.why);
  }
  const text = plainText(found.value);
  if (text === undefined)
    throw mismatch(scope.name, key, path, 'what is there is not a text, a number or a flag');
  return text;
}

function readFields(scope: Scope, key: string, fields: Fields | undefined): Record<string, string> {
  if (fields === undefined) return {};
  if (typeof fields !== 'string') {
    const entries = Object.entries(fields).map(
      ([name, field]) => [name, readField(scope, `${key}.${name}`, field)] as const,
    );
    return Object.fromEntries(entries.flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])));
  }
  const found = at(scope, fields);
  if (!found.found) throw mismatch(scope.name, key, fields, found.why);
  if (!isRecord(found.value)) throw mismatch(scope.name, key, fields, 'there is no object there');
  // What is nested deeper has no place among labels.
  const entries = Object.entries(found.value).map(([name, value]) => [name, plainText(value)] as const);
  return Object.fromEntries(entries.flatMap(([name, text]) => (text === undefined ? [] : [[name, text]])));
}

function at({ payload, item }: Scope, path: string) {
  const fromRoot = path.startsWith('$.');
  const parts = parsePath(fromRoot ? path.slice(2) : path) ?? [];
  return followPath(fromRoot ? payload : item, parts);
}

const plainText = (value: unknown): string | undefined =>
  ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;

const mismatch = (name: string, key: string, path: string, why: string) =>
  fail(
    'input.invalid',
    `Webhook '${name}': '${key}' is mapped to '${path}', and it does not fit what was sent: ${why}.`,
    mend(name, key),
  );

const mend = (name: string, key: string): string =>
  `Mend webhooks.generic.${name}.${key} in gateway.yaml, or write {path: …, default: …} or {path: …, optional: true} where it may be absent.`;
