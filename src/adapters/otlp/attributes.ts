import { isRecord } from '#kit/is-record';
import { namesMachine } from '#kit/machine-name';
import type { AnyValue, Attributes } from './wire.ts';

const DEEPEST = 8;
const MOST = 64;
const LONGEST_KEY = 200;
const LONGEST_VALUE = 1_000;

/** A value as plain JSON. What is of no known kind is null; what is nested too deeply is cut. */
export function plainValue(value: AnyValue | undefined, depth = 0): unknown {
  if (!isRecord(value) || depth > DEEPEST) return null;
  const { stringValue, boolValue, intValue, doubleValue, bytesValue, arrayValue, kvlistValue } = value;
  if (typeof stringValue === 'string') return stringValue;
  if (typeof boolValue === 'boolean') return boolValue;
  if (intValue !== undefined) return Number(intValue);
  if (doubleValue !== undefined) return Number(doubleValue);
  if (typeof bytesValue === 'string') return bytesValue;
  if (isRecord(arrayValue))
    return listOf(arrayValue.values)
      .slice(0, MOST)
      .map((one) => plainValue(one as AnyValue, depth + 1));
  if (isRecord(kvlistValue)) {
    const entries = listOf(kvlistValue.values).filter(isRecord).slice(0, MOST);
    return Object.fromEntries(
      entries.map(({ key, value: inner }) => [String(key), plainValue(inner as AnyValue, depth + 1)]),
    );
  }
  return null;
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export function plainAttributes(attributes: Attributes): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const { key, value } of attributes.slice(0, MOST)) {
    const plain = plainValue(value);
    out[key.slice(0, LONGEST_KEY)] = typeof plain === 'string' ? plain.slice(0, LONGEST_VALUE) : plain;
  }
  return out;
}

/** What tells series apart: texts only. */
export function textAttributes(attributes: Attributes): Record<string, string> {
  return Object.fromEntries(
    Object.entries(plainAttributes(attributes)).map(([key, value]) => [
      key,
      typeof value === 'string' ? value.slice(0, LONGEST_KEY) : JSON.stringify(value).slice(0, LONGEST_KEY),
    ]),
  );
}

export interface Sender {
  readonly service: string;
  readonly version: string | undefined;
  readonly instance: string | undefined;
  readonly pod: string | undefined;
  /** The attributes that name the machine it runs on. */
  readonly placed: Readonly<Record<string, string>>;
}

/** Who sends, from the attributes of a resource. */
export function senderOf(attributes: Attributes): Sender {
  const all = plainAttributes(attributes);
  const text = (key: string): string | undefined => {
    const value = all[key];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const instance = text('service.instance.id') ?? text('k8s.pod.name') ?? text('host.name');
  return {
    service: text('service.name') ?? 'unknown_service',
    version: text('service.version'),
    instance,
    pod: text('k8s.pod.name') ?? instance,
    placed: Object.fromEntries(
      Object.entries(all).flatMap(([key, value]) =>
        namesMachine(key) && typeof value === 'string' ? [[key, value]] : [],
      ),
    ),
  };
}
