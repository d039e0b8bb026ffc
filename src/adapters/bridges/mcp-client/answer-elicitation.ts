import type { ElicitRequest, ElicitResult } from '@modelcontextprotocol/client';
import { showHidden } from '#kit/hidden-characters';
import { isRecord } from '#kit/is-record';
import type { AskUser } from '#spec/ports';
import { isWebAddress } from './web-address.ts';

type Params = ElicitRequest['params'];
type Value = string | number | boolean | string[];

const DECLINE = 'decline';
const MOST_FIELDS = 20;
const TRIES = 3;

export interface ElicitationPowers {
  readonly ask: AskUser | undefined;
  readonly openBrowser: ((url: string) => Promise<void>) | undefined;
}

/** Passes a question of a server on to the person, who sees who asks and can decline before anything is given away. */
export async function answerElicitation(
  server: string,
  params: Params,
  { ask, openBrowser }: ElicitationPowers,
): Promise<ElicitResult> {
  if (!ask) return { action: 'cancel' };
  const message = showHidden(params.message.slice(0, 2_000));
  if ('url' in params) {
    if (!openBrowser || !isWebAddress(params.url)) return { action: DECLINE };
    const { host } = new URL(params.url);
    const answer = await ask(
      `The MCP server ${server} says: ${message}\nIt wants to open a page at ${host}:\n${showHidden(params.url)}`,
      ['open', DECLINE],
    );
    if (answer !== 'open') return { action: answer === undefined ? 'cancel' : DECLINE };
    await openBrowser(params.url);
    return { action: 'accept' };
  }
  const fields = Object.entries(params.requestedSchema.properties).slice(0, MOST_FIELDS);
  const names = fields.map(([name]) => showHidden(name)).join(', ');
  const answer = await ask(
    `The MCP server ${server} asks: ${message}${names ? `\nIt wants to know: ${names}.` : ''}`,
    [fields.length > 0 ? 'answer' : 'accept', DECLINE],
  );
  if (answer === undefined) return { action: 'cancel' };
  if (answer === DECLINE) return { action: DECLINE };
  return askFields(fields, new Set(params.requestedSchema.required), ask);
}

async function askFields(
  fields: readonly (readonly [string, unknown])[],
  required: ReadonlySet<string>,
  ask: AskUser,
): Promise<ElicitResult> {
  const content: Record<string, Value> = {};
  for (const [name, schema] of fields) {
    const field = fieldOf(name, isRecord(schema) ? schema : {});
    const given = await askField(field, required.has(name), ask);
    if (given === 'cancel') return { action: 'cancel' };
    if (given !== undefined) content[name] = given.value;
  }
  return { action: 'accept', content };
}

interface Field {
  readonly label: string;
  readonly choices: readonly string[];
  readonly fallback: Value | undefined;
  /** The value that an answer stands for; undefined when it is not one. */
  read(answer: string): Value | undefined;
}

async function askField(
  field: Field,
  required: boolean,
  ask: AskUser,
): Promise<{ readonly value: Value } | 'cancel' | undefined> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const answer = await ask(field.label, field.choices);
    if (answer === undefined) return 'cancel';
    if (answer.trim() === '') {
      if (field.fallback !== undefined) return { value: field.fallback };
      if (!required) return undefined;
      continue;
    }
    const value = field.read(answer.trim());
    if (value !== undefined) return { value };
  }
  return 'cancel';
}

function fieldOf(name: string, schema: Record<string, unknown>): Field {
  const text = (value: unknown) => (typeof value === 'string' ? showHidden(value.slice(0, 500)) : '');
  const { default: written } = schema;
  const fallback = isValue(written) ? written : undefined;
  const hint = fallback === undefined ? '' : ` [${String(fallback)}]`;
  const about = text(schema.description);
  const label = `${text(schema.title) || showHidden(name)}${about ? ` (${about})` : ''}${hint}`;
  if (schema.type === 'boolean')
    return {
      label,
      choices: ['yes', 'no'],
      fallback,
      read: (answer) =>
        /^(?:y|yes|true)$/i.test(answer) ? true : /^(?:n|no|false)$/i.test(answer) ? false : undefined,
    };
  if (schema.type === 'number' || schema.type === 'integer')
    return {
      label,
      choices: [],
      fallback,
      read: (answer) => {
        const value = Number(answer);
        return Number.isFinite(value) && (schema.type === 'number' || Number.isInteger(value))
          ? value
          : undefined;
      },
    };
  const many = schema.type === 'array' && isRecord(schema.items) ? schema.items : undefined;
  const options = optionsOf(many ?? schema);
  const pick = (answer: string) => (options.size === 0 ? answer : options.get(answer));
  if (many)
    return {
      label: `${label}: several, with commas`,
      choices: [...options.keys()],
      fallback,
      read: (answer) => {
        const picked = answer.split(',').map((part) => pick(part.trim()));
        return picked.every((value) => value !== undefined) ? picked : undefined;
      },
    };
  return { label, choices: [...options.keys()], fallback, read: pick };
}

const isValue = (value: unknown): value is Value =>
  ['string', 'number', 'boolean'].includes(typeof value) ||
  (Array.isArray(value) && value.every((item) => typeof item === 'string'));

/** What is shown for each value, in every way a schema can write it. */
function optionsOf(schema: Record<string, unknown>): Map<string, string> {
  const options = new Map<string, string>();
  const titled = [schema.oneOf, schema.anyOf].find(Array.isArray) ?? [];
  for (const option of titled)
    if (isRecord(option) && typeof option.const === 'string')
      options.set(showHidden(typeof option.title === 'string' ? option.title : option.const), option.const);
  const titles: readonly unknown[] = Array.isArray(schema.enumNames) ? schema.enumNames : [];
  for (const [i, value] of (Array.isArray(schema.enum) ? schema.enum : []).entries())
    if (typeof value === 'string')
      options.set(showHidden(typeof titles[i] === 'string' ? titles[i] : value), value);
  return options;
}
