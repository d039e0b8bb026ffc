import type { LogLine } from '#spec/data';
import { isRecord } from '#kit/is-record';
import { redact } from '#kit/redact';
import type { RawLine } from './loki-api.ts';

type Fields = Readonly<Record<string, unknown>>;

const MESSAGE = ['message', 'msg', 'body', '@message', 'event', 'log'];
const LEVEL = ['level', 'severity', 'lvl', 'log.level', 'severity_text', 'loglevel', 'detected_level'];
const TRACE = ['trace_id', 'traceId', 'traceID', 'traceid', 'trace.id', 'dd.trace_id'];
const SPAN = ['span_id', 'spanId', 'spanID', 'spanid', 'span.id'];
/** What went wrong, apart from what was being done. */
const ERROR = [
  'error',
  'err',
  'exception',
  'error.message',
  'err.message',
  'exception.message',
  'error_message',
  'cause',
];
const POD = ['pod', 'pod_name', 'instance', 'k8s_pod_name'];
/** Levels as some loggers number them. */
const NUMBERED: Readonly<Record<string, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};
const PLAIN_LEVEL = /\b(TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|ERR|CRITICAL|FATAL|PANIC|SEVERE)\b/i;
const PLAIN_TRACE = /\btrace[_-]?id["']?\s*[=:]\s*["']?([0-9a-f]{16,32})\b/i;
const PAIR = /(?:^|\s)([A-Za-z_][\w.-]*)=("(?:[^"\\]|\\.)*"|[^\s"]*)/g;
const LONGEST = 8_000;
const MOST_ATTRIBUTES = 24;
const LONGEST_ATTRIBUTE = 300;

/** What a line says, whether it is JSON, logfmt or words. Keys that stand in it by mistake are blotted out. */
export function readLine({ time, text, labels }: RawLine, service: string): LogLine {
  const fields = fieldsOf(text);
  const all: Fields = { ...labels, ...fields };
  const level = levelOf(all) ?? PLAIN_LEVEL.exec(text.slice(0, 120))?.[1]?.toLowerCase();
  const traceId = first(all, TRACE) ?? PLAIN_TRACE.exec(text)?.[1];
  const spanId = first(all, SPAN);
  const pod = first(all, POD);
  const attributes = attributesOf(fields ?? {});
  return {
    time,
    service,
    message: redact(messageOf(fields, text)).slice(0, LONGEST),
    ...(pod === undefined ? {} : { pod }),
    ...(level === undefined ? {} : { level }),
    ...(traceId === undefined ? {} : { traceId }),
    ...(spanId === undefined ? {} : { spanId }),
    ...(Object.keys(attributes).length === 0 ? {} : { attributes }),
  };
}

function fieldsOf(text: string): Fields | undefined {
  const trimmed = text.trim();
  if (trimmed.startsWith('{')) {
    const value = parsed(trimmed);
    return isRecord(value) ? flat(value) : undefined;
  }
  const pairs = [...trimmed.matchAll(PAIR)];
  // A sentence may hold an equals sign; a line of logfmt begins with one and has several.
  if (pairs.length < 2 || pairs[0]?.index !== 0) return undefined;
  return Object.fromEntries(pairs.map(([, key = '', value = '']) => [key, unquoted(value)]));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const unquoted = (value: string): string => {
  const inner = value.startsWith('"') ? parsed(value) : value;
  return typeof inner === 'string' ? inner : value;
};

/** One level of nesting, as `error.message`; deeper ones stay as they are. */
const flat = (value: Fields): Fields =>
  Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) =>
      isRecord(inner)
        ? [
            [key, inner] as const,
            ...Object.entries(inner).map(([name, deep]) => [`${key}.${name}`, deep] as const),
          ]
        : [[key, inner] as const],
    ),
  );

function messageOf(fields: Fields | undefined, text: string): string {
  const message = fields && first(fields, MESSAGE);
  const error = fields && first(fields, ERROR);
  if (message === undefined) return error ?? text;
  return error === undefined || message.includes(error) ? message : `${message}: ${error}`;
}

function levelOf(all: Fields): string | undefined {
  const found = first(all, LEVEL);
  return found === undefined || found === 'unknown' ? undefined : (NUMBERED[found] ?? found.toLowerCase());
}

/** The first of these that is a text or a number. */
function first(fields: Fields, names: readonly string[]): string | undefined {
  const found = names
    .map((name) => fields[name])
    .find((value) => (typeof value === 'string' && value !== '') || typeof value === 'number');
  return typeof found === 'string' || typeof found === 'number' ? String(found) : undefined;
}

const KNOWN = new Set([
  ...MESSAGE,
  ...LEVEL,
  ...TRACE,
  ...SPAN,
  ...POD,
  'time',
  'ts',
  'timestamp',
  '@timestamp',
]);

function attributesOf(fields: Fields): Record<string, unknown> {
  const kept = Object.entries(fields).filter(
    ([key, value]) => !KNOWN.has(key) && ['string', 'number', 'boolean'].includes(typeof value),
  );
  return Object.fromEntries(
    kept
      .slice(0, MOST_ATTRIBUTES)
      .map(([key, value]) => [
        key,
        typeof value === 'string' ? redact(value).slice(0, LONGEST_ATTRIBUTE) : value,
      ]),
  );
}
