import { createHash } from 'node:crypto';
import { z } from 'zod';
import { dropHidden, hasHidden } from '#kit/hidden-characters';
import { isRecord } from '#kit/is-record';

const MOST_TOOLS = 500;
const MOST_DESCRIPTION = 1_000;
const MOST_SCHEMA_CHARS = 20_000;

/** A tool of a server as it is kept between starts: cleaned, bounded, and with the hash of what the server really said. */
export const KnownTool = z.object({
  name: z.string(),
  description: z.string(),
  /** A JSON Schema of an object. */
  input: z.record(z.string(), z.unknown()),
  readOnly: z.boolean().optional(),
  destructive: z.boolean().optional(),
  openWorld: z.boolean().optional(),
  hash: z.string(),
  /** Something in its description could not be seen. */
  hides: z.boolean(),
});
export type KnownTool = z.infer<typeof KnownTool>;

/** What is known of a server without starting it. `pins` are the hashes that somebody has accepted, by tool. */
export const KnownServer = z.object({
  /** Of the entry that it was learned from: another program or address is another server. */
  entry: z.string(),
  tools: z.array(KnownTool),
  pins: z.record(z.string(), z.string()),
  resources: z.boolean(),
  prompts: z.boolean(),
  at: z.number(),
});
export type KnownServer = z.infer<typeof KnownServer>;

/** A tool as a server lists it, as far as it is read here. */
export interface ListedTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: unknown;
  readonly annotations?:
    | {
        readonly readOnlyHint?: boolean | undefined;
        readonly destructiveHint?: boolean | undefined;
        readonly openWorldHint?: boolean | undefined;
      }
    | undefined;
}

export function knownTools(listed: readonly ListedTool[]): KnownTool[] {
  return listed.slice(0, MOST_TOOLS).map(knownTool);
}

function knownTool(tool: ListedTool): KnownTool {
  const { name, annotations = {} } = tool;
  const written = tool.description ?? tool.title ?? '';
  const description = dropHidden(written).slice(0, MOST_DESCRIPTION).toWellFormed();
  return {
    name,
    description,
    input: inputSchema(tool.inputSchema),
    ...(annotations.readOnlyHint === undefined ? {} : { readOnly: annotations.readOnlyHint }),
    ...(annotations.destructiveHint === undefined ? {} : { destructive: annotations.destructiveHint }),
    ...(annotations.openWorldHint === undefined ? {} : { openWorld: annotations.openWorldHint }),
    hash: hashOf({ name, title: tool.title, written, schema: tool.inputSchema, annotations }),
    hides: hasHidden(name) || hasHidden(written) || hasHidden(JSON.stringify(tool.inputSchema) ?? ''),
  };
}

/** A schema as it is shown to models. One that is too long is left out: the server checks the arguments anyway. */
function inputSchema(schema: unknown): Record<string, unknown> {
  const clean = cleaned(schema);
  const whole: Record<string, unknown> = isRecord(clean) ? clean : {};
  const { $schema: _, id: __, ...others } = whole;
  const rest = { ...others, type: 'object' };
  return JSON.stringify(rest).length > MOST_SCHEMA_CHARS ? { type: 'object' } : rest;
}

function cleaned(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return dropHidden(value).slice(0, MOST_DESCRIPTION).toWellFormed();
  if (depth > 20) return undefined;
  if (Array.isArray(value)) return value.map((item) => cleaned(item, depth + 1));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [dropHidden(key), cleaned(item, depth + 1)]),
  );
}

export const hashOf = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(sorted(value)))
    .digest('hex');

/** Keys in order, so that the same thing said in another order is the same. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
}
