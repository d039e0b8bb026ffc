import { createHash } from 'node:crypto';
import { metricOf, serviceOf } from '#kit/alert-labels';
import { dropHidden } from '#kit/hidden-characters';
import { redact } from '#kit/redact';
import type { Alert } from '#spec/data';

export interface IntakeLimits {
  /** In one delivery. */
  readonly alerts: number;
  readonly labels: number;
  /** In bytes of UTF-8, as are the others. */
  readonly labelValue: number;
  readonly annotation: number;
  readonly title: number;
}

export const USUAL_LIMITS: IntakeLimits = {
  alerts: 1000,
  labels: 64,
  labelValue: 1024,
  annotation: 4096,
  title: 300,
};

const NAME_BYTES = 128;
const LINK_BYTES = 2048;
const FINGERPRINT_BYTES = 256;
/** Labels by which alerts are told apart and grouped; they stay when there are too many. */
const KEPT = new Set(['alertname', 'cluster', 'namespace', 'service', 'severity', 'pod', 'instance', 'job']);
/** A clock that is further ahead than this is wrong. */
const AHEAD_MS = 5 * 60_000;

/** The alert with every part of a bearable size, without hidden characters and credentials, and with times that can be. */
export function boundAlert(alert: Alert, limits: IntakeLimits, now: number): Alert {
  const labels = boundTexts(alert.labels, limits.labels, limits.labelValue);
  const annotations = boundTexts(alert.annotations, limits.labels, limits.annotation);
  const link = alert.link === undefined ? undefined : plainLink(alert.link);
  const service = oneLine(alert.service ?? '', limits.labelValue) || serviceOf(labels);
  const metric = oneLine(alert.metric ?? '', limits.labelValue) || metricOf(labels, annotations, link);
  const startsAt = possibleInstant(alert.startsAt, now);
  const { endsAt, link: _, service: __, metric: ___, ...rest } = alert;
  return {
    ...rest,
    fingerprint: fingerprintText(alert.fingerprint),
    source: oneLine(alert.source, NAME_BYTES),
    title: oneLine(alert.title, limits.title) || labels['alertname'] || 'Alert',
    labels,
    annotations,
    startsAt,
    ...(service ? { service } : {}),
    ...(metric ? { metric } : {}),
    ...(endsAt === undefined ? {} : { endsAt: later(possibleInstant(endsAt, now), startsAt) }),
    ...(link === undefined ? {} : { link }),
  };
}

/** Two names that become the same are one. */
function boundTexts(
  texts: Readonly<Record<string, string>>,
  count: number,
  bytes: number,
): Record<string, string> {
  const [kept, others] = [true, false].map((isKept) =>
    Object.entries(texts).filter(([name]) => KEPT.has(name) === isKept),
  );
  const entries = [...(kept ?? []), ...(others ?? [])].slice(0, count);
  return Object.fromEntries(entries.map(([name, value]) => [oneLine(name, NAME_BYTES), clean(value, bytes)]));
}

const oneLine = (text: string, bytes: number): string => clean(text.replaceAll(/\s+/g, ' '), bytes).trim();

const clean = (text: string, bytes: number): string => cutBytes(redact(dropHidden(text)), bytes);

/** Ends with an ellipsis where it was cut, never in the middle of a character. */
function cutBytes(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text.toWellFormed();
  const room = Buffer.from(text).subarray(0, bytes - Buffer.byteLength('…'));
  return `${new TextDecoder().decode(room).replace(/\uFFFD$/, '')}…`;
}

/** A long one stays different from others that begin like it. */
function fingerprintText(given: string): string {
  const text = dropHidden(given).trim();
  if (text !== '' && Buffer.byteLength(text) <= FINGERPRINT_BYTES) return text;
  return createHash('sha256').update(given).digest('hex');
}

/** A page to open in a browser, without a password in it; anything else is no link. */
function plainLink(link: string): string | undefined {
  const address = URL.parse(dropHidden(link).trim());
  if (!address || !['http:', 'https:'].includes(address.protocol)) return undefined;
  address.username = '';
  address.password = '';
  const text = redact(address.href);
  return Buffer.byteLength(text) <= LINK_BYTES ? text : undefined;
}

function possibleInstant(instant: string, now: number): string {
  const at = Date.parse(instant);
  return at > 0 && at <= now + AHEAD_MS ? instant : new Date(now).toISOString();
}

const later = (one: string, other: string): string => (Date.parse(one) >= Date.parse(other) ? one : other);
