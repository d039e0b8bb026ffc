import type { AttributeValue } from './tracer.ts';

/** A value as OTLP's JSON writes it: 64-bit integers are texts. */
export type OtlpValue =
  | { readonly stringValue: string }
  | { readonly boolValue: boolean }
  | { readonly intValue: string }
  | { readonly doubleValue: number };

export interface OtlpAttribute {
  readonly key: string;
  readonly value: OtlpValue;
}

export function otlpValue(value: AttributeValue): OtlpValue {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

export const otlpAttributes = (attributes: Readonly<Record<string, AttributeValue>>): OtlpAttribute[] =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: otlpValue(value) }));

/** Milliseconds since the epoch as nanoseconds, without losing digits to a double. */
export const nanoseconds = (ms: number): string => {
  const whole = Math.floor(ms);
  return `${whole}${String(Math.floor((ms - whole) * 1e6)).padStart(6, '0')}`;
};
