import { z } from 'zod';
import { AppError } from '#kit/app-error';
import type { ImagePart, Message, ModelRequest, ToolSpec } from '#spec/data';
import { badParam } from './openai-error.ts';

/** Reads a body by its schema. What the schema does not name is left alone, as such servers do. */
export function readRequest<T>(body: Uint8Array, schema: z.ZodType<T>): T {
  let given: unknown;
  try {
    given = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (cause) {
    throw new AppError(
      { code: 'input.invalid', message: 'The body is not JSON.', retry: { again: false } },
      { cause },
    );
  }
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const param = pathOf(issue?.path ?? []);
  throw badParam(param, `${param || 'The body'}: ${issue?.message ?? 'it is not valid'}`);
}

const pathOf = (path: readonly PropertyKey[]): string =>
  path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index ? '.' : ''}${String(part)}`))
    .join('');

export const ModelName = z.string().min(1);
export const Temperature = z.number().min(0).max(2).nullish();
export const Limit = z.number().int().positive().nullish();
export const ToolName = z
  .string()
  .regex(/^[\w-]{1,64}$/, 'a name is of letters, digits, _ and -, at most 64');
export const Schema = z.record(z.string(), z.unknown()).nullish();
export const Effort = z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']).nullish();

const THINKING: Readonly<Record<string, NonNullable<ModelRequest['thinking']>>> = {
  none: 'off',
  minimal: 'off',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
  max: 'high',
};

/** How the model is to answer, as far as the client says. */
export function settingsOf(asked: {
  readonly temperature?: number | null | undefined;
  readonly limit?: number | null | undefined;
  readonly effort?: string | null | undefined;
}): Pick<ModelRequest, 'temperature' | 'maxOutput' | 'thinking'> {
  const { temperature, limit, effort } = asked;
  const thinking = effort ? THINKING[effort] : undefined;
  return {
    ...(typeof temperature === 'number' ? { temperature } : {}),
    ...(limit ? { maxOutput: limit } : {}),
    ...(thinking ? { thinking } : {}),
  };
}

export function toolSpecs(
  tools: readonly {
    readonly name: string;
    readonly description?: string | null | undefined;
    readonly parameters?: Readonly<Record<string, unknown>> | null | undefined;
  }[],
): readonly ToolSpec[] {
  const names = new Set<string>();
  return tools.map(({ name, description, parameters }, index) => {
    if (names.has(name)) throw badParam(`tools[${index}]`, `There are two tools called '${name}'.`);
    names.add(name);
    return {
      name,
      description: description ?? '',
      input: parameters ?? { type: 'object', properties: {} },
    };
  });
}

const DATA_URL = /^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/=\s]+)$/;

/** An image comes with the request: nothing is fetched on anybody's behalf. */
export function imageOf(url: string, param: string): ImagePart {
  const [, mediaType, data] = DATA_URL.exec(url) ?? [];
  if (!mediaType || !data)
    throw badParam(
      param,
      'An image has to come in a data: URL, as base64, of PNG, JPEG, GIF or WebP.',
      'invalid_image_url',
    );
  return { type: 'image', mediaType: mediaType as ImagePart['mediaType'], data: data.replace(/\s/g, '') };
}

/** Every call has its result behind it and every result its call, or no vendor would take the conversation. */
export function checkCalls(messages: readonly Message[], param: string): void {
  let open = new Set<string>();
  for (const message of messages) {
    if (message.role === 'tool') {
      if (!open.delete(message.callId))
        throw badParam(param, `The result '${message.callId.slice(0, 100)}' answers no call before it.`);
      continue;
    }
    checkNoneOpen(open, param);
    const calls = message.role === 'assistant' ? message.content : [];
    open = new Set(calls.flatMap((part) => (part.type === 'tool_call' ? [part.id] : [])));
  }
  checkNoneOpen(open, param);
}

function checkNoneOpen(open: ReadonlySet<string>, param: string): void {
  if (open.size) throw badParam(param, `These calls have no result: ${[...open].join(', ').slice(0, 500)}.`);
}

/** Who wrote the messages that a client sends as the agent's: it says so, and nobody can tell. */
export const CLIENT_ORIGIN = { provider: 'client', model: 'history', protocol: 'local' } as const;
