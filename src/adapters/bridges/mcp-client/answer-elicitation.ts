import type { ElicitRequest, ElicitResult } from '@modelcontextprotocol/client';
import { hasHidden, showHidden } from '#kit/hidden-characters';
import { isRecord } from '#kit/is-record';
import type { AskUser } from '#spec/ports';
import { type Field, type FieldValue, fieldOf, plainLine } from './elicitation-field.ts';
import { isSecure } from '#adapters/io/secure-url';

type Params = ElicitRequest['params'];

const DECLINE = 'decline';
const MOST_FIELDS = 20;
const MOST_MESSAGE = 2_000;
const TRIES = 3;
const HIDDEN = '\nIts question has characters that cannot be seen; they are shown as ⟪U+…⟫.';

export interface ElicitationPowers {
  readonly ask: AskUser | undefined;
  readonly openBrowser: ((url: string) => Promise<void>) | undefined;
  /** Takes secrets out of what the server says. */
  readonly clean: (text: string) => string;
}

/**
 * Passes a question of a server on to the person, who sees at every step who asks, and can decline before anything is
 * given away. What goes back is what the person gave or chose, never what stood in the question.
 */
export async function answerElicitation(
  server: string,
  params: Params,
  { ask, openBrowser, clean }: ElicitationPowers,
): Promise<ElicitResult> {
  if (!ask) return { action: 'cancel' };
  const message = quoted(clean(params.message));
  const warning = hides(params) ? HIDDEN : '';
  if ('url' in params) {
    if (!openBrowser || !isSecure(params.url)) return { action: DECLINE };
    const { host } = new URL(params.url);
    const answer = await ask(
      `The MCP server ${server} says: ${message}\nIt wants to open a page at ${host}:\n${showHidden(params.url)}${warning}`,
      ['open', DECLINE],
    );
    if (answer !== 'open') return { action: answer === undefined ? 'cancel' : DECLINE };
    await openBrowser(params.url);
    return { action: 'accept' };
  }
  const fields = Object.entries(params.requestedSchema.properties).slice(0, MOST_FIELDS);
  const names = fields.map(([name]) => plainLine(name)).join(', ');
  const agree = fields.length > 0 ? 'answer' : 'accept';
  const answer = await ask(
    `The MCP server ${server} asks: ${message}${names ? `\nIt wants to know: ${names}.` : ''}${warning}`,
    [agree, DECLINE],
  );
  if (answer !== agree) return { action: answer === undefined ? 'cancel' : DECLINE };
  const from = (question: string, choices: readonly string[]) =>
    ask(`The MCP server ${server} wants to know: ${clean(question)}`, choices);
  return askFields(fields, new Set(params.requestedSchema.required), from);
}

/** Words of a server in which every line shows that it is one of them. */
const quoted = (text: string): string =>
  showHidden(text.slice(0, MOST_MESSAGE)).replaceAll(/\r?\n|\r/g, '\n  | ');

/** Whether something in a question cannot be seen: in its message, or anywhere in what it wants to know. */
function hides(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return hasHidden(value);
  if (depth > 10 || value === null || typeof value !== 'object') return false;
  return Object.entries(value).some(([name, item]) => hasHidden(name) || hides(item, depth + 1));
}

async function askFields(
  fields: readonly (readonly [string, unknown])[],
  required: ReadonlySet<string>,
  ask: AskUser,
): Promise<ElicitResult> {
  const content: Record<string, FieldValue> = {};
  for (const [name, schema] of fields) {
    const field = fieldOf(name, isRecord(schema) ? schema : {});
    const given = await askField(field, required.has(name), ask);
    if (given === 'cancel') return { action: 'cancel' };
    if (given !== undefined) content[name] = given.value;
  }
  return { action: 'accept', content };
}

async function askField(
  field: Field,
  required: boolean,
  ask: AskUser,
): Promise<{ readonly value: FieldValue } | 'cancel' | undefined> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const answer = await ask(field.label, field.choices);
    if (answer === undefined) return 'cancel';
    if (answer.trim() === '') {
      if (!required) return undefined;
      continue;
    }
    const value = field.read(answer.trim());
    if (value !== undefined) return { value };
  }
  return 'cancel';
}
