import { showHidden } from '#kit/hidden-characters';
import { isRecord } from '#kit/is-record';

export type FieldValue = string | number | boolean | string[];

/** One thing that a server wants to know, as it is put to a person. */
export interface Field {
  readonly label: string;
  /** What the server proposes is among them: nobody has given it before it is chosen. */
  readonly choices: readonly string[];
  /** The value that an answer stands for; undefined when it is not one. */
  read(answer: string): FieldValue | undefined;
}

const MOST_TEXT = 500;

/** Words of a server on one line, with nothing hidden in them. */
export const plainLine = (value: unknown): string =>
  typeof value === 'string' ? showHidden(value.slice(0, MOST_TEXT).replaceAll(/\s+/g, ' ').trim()) : '';

export function fieldOf(name: string, schema: Record<string, unknown>): Field {
  const about = plainLine(schema.description);
  const label = `${plainLine(schema.title) || plainLine(name)}${about ? ` (${about})` : ''}`;
  const proposed = isValue(schema.default) ? plainLine(String(schema.default)) : '';
  const choices = proposed === '' ? [] : [proposed];
  if (schema.type === 'boolean') return { label, choices: yesFirst(schema.default), read: readBoolean };
  if (schema.type === 'number' || schema.type === 'integer')
    return { label, choices, read: (answer) => readNumber(answer, schema.type === 'integer') };
  const many = schema.type === 'array' && isRecord(schema.items) ? schema.items : undefined;
  const options = optionsOf(many ?? schema);
  const shown = [...options.keys()];
  const pick = (answer: string) => (options.size === 0 ? answer : options.get(answer));
  if (many)
    return {
      label: `${label}: several, with commas`,
      choices: [...new Set([...titlesOf(schema.default, options), ...shown])],
      read: (answer) => {
        const picked = answer.split(',').map((part) => pick(part.trim()));
        return picked.every((value) => value !== undefined) ? picked : undefined;
      },
    };
  const first = shown.filter((title) => options.get(title) === schema.default);
  return { label, choices: options.size === 0 ? choices : [...new Set([...first, ...shown])], read: pick };
}

const yesFirst = (proposed: unknown): string[] => (proposed === false ? ['no', 'yes'] : ['yes', 'no']);

const readBoolean = (answer: string): boolean | undefined =>
  /^(?:y|yes|true)$/i.test(answer) ? true : /^(?:n|no|false)$/i.test(answer) ? false : undefined;

function readNumber(answer: string, whole: boolean): number | undefined {
  const value = Number(answer);
  return Number.isFinite(value) && (!whole || Number.isInteger(value)) ? value : undefined;
}

const isValue = (value: unknown): value is string | number =>
  typeof value === 'string' || typeof value === 'number';

/** A proposed list as one answer, in the words that are shown. */
function titlesOf(proposed: unknown, options: ReadonlyMap<string, string>): string[] {
  if (!Array.isArray(proposed)) return [];
  const titles = [...options].filter(([, value]) => proposed.includes(value)).map(([title]) => title);
  return titles.length > 1 && titles.length === proposed.length ? [titles.join(', ')] : [];
}

/** What is shown for each value, in every way a schema can write it. */
function optionsOf(schema: Record<string, unknown>): Map<string, string> {
  const options = new Map<string, string>();
  const titled = [schema.oneOf, schema.anyOf].find(Array.isArray) ?? [];
  for (const option of titled)
    if (isRecord(option) && typeof option.const === 'string')
      options.set(plainLine(option.title) || plainLine(option.const), option.const);
  const titles: readonly unknown[] = Array.isArray(schema.enumNames) ? schema.enumNames : [];
  for (const [i, value] of (Array.isArray(schema.enum) ? schema.enum : []).entries())
    if (typeof value === 'string') options.set(plainLine(titles[i]) || plainLine(value), value);
  return options;
}
