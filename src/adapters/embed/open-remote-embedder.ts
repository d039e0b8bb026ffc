import { z } from 'zod';
import { AppError } from '#kit/app-error';
import type { Embedder, Embedding } from '#spec/ports';
import type { ErrorCode } from '#spec/data';

export interface RemoteEmbedderOptions {
  /** Up to the version, such as `https://api.openai.com/v1`. */
  readonly baseUrl: string;
  readonly apiKey?: string;
  readonly model: string;
  /** Asks for shorter vectors, where the model can give them. */
  readonly dimensions?: number;
  readonly fetch: typeof fetch;
  readonly timeoutMs?: number;
}

/** What every known endpoint takes in one request. */
const MOST_TEXTS = 32;
const MOST_CHARS = 8_000;
const TIMEOUT_MS = 30_000;
const SHOWN_CHARS = 200;

const Answer = z.object({
  data: z.array(z.object({ index: z.number().int().optional(), embedding: z.array(z.number()) })),
});

/** An endpoint that speaks OpenAI's `/embeddings`. All texts go to one space, named by the model. */
export function openRemoteEmbedder(options: RemoteEmbedderOptions): Embedder {
  const space = options.dimensions ? `${options.model}@${options.dimensions}` : options.model;
  return {
    embed: async (texts, signal) => {
      const found: Embedding[] = [];
      for (let from = 0; from < texts.length; from += MOST_TEXTS) {
        signal.throwIfAborted();
        const vectors = await request(texts.slice(from, from + MOST_TEXTS), options, signal);
        found.push(...vectors.map((vector) => ({ space, vector: unit(vector) })));
      }
      return found;
    },
    close: async () => undefined,
  };
}

async function request(
  texts: readonly string[],
  { baseUrl, apiKey, model, dimensions, fetch: send, timeoutMs = TIMEOUT_MS }: RemoteEmbedderOptions,
  signal: AbortSignal,
): Promise<readonly (readonly number[])[]> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const host = new URL(baseUrl).host;
  try {
    const response = await send(`${baseUrl.replace(/\/+$/, '')}/embeddings`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}),
      },
      body: JSON.stringify({
        model,
        // An empty text is refused by most endpoints.
        input: texts.map((text) => text.slice(0, MOST_CHARS) || ' '),
        encoding_format: 'float',
        ...(dimensions ? { dimensions } : {}),
      }),
      signal: AbortSignal.any([signal, timeout]),
    });
    if (!response.ok) throw await refused(response, host);
    return inOrder(Answer.safeParse(await response.json()), texts.length, host);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AppError) throw error;
    if (timeout.aborted)
      throw problem('model.timeout', `${host} did not answer within ${timeoutMs} ms`, error);
    if (error instanceof SyntaxError) throw problem('model.bad_response', `${host} sent no JSON`, error);
    throw problem('model.network', `${host} cannot be reached`, error);
  }
}

/** Some endpoints number their answers and send them in any order; others send them as they were asked for. */
function inOrder(
  { data: answer }: z.ZodSafeParseResult<z.infer<typeof Answer>>,
  count: number,
  host: string,
): readonly (readonly number[])[] {
  const rows = answer?.data.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0)) ?? [];
  const size = rows[0]?.embedding.length ?? 0;
  if (rows.length !== count || size === 0 || rows.some(({ embedding }) => embedding.length !== size))
    throw problem('model.bad_response', `${host} sent no vectors for ${count} texts`);
  return rows.map(({ embedding }) => embedding);
}

async function refused(response: Response, host: string): Promise<AppError> {
  const { status } = response;
  const said = (await response.text()).slice(0, SHOWN_CHARS).trim();
  const afterS = Number(response.headers.get('retry-after'));
  const afterMs = afterS > 0 ? { afterMs: afterS * 1_000 } : {};
  const again = status === 429 || status >= 500;
  const message = `${host} answered ${status}${said ? `: ${said}` : ''}`;
  return new AppError({ code: codeOf(status), message, retry: { again, ...(again ? afterMs : {}) } });
}

function codeOf(status: number): ErrorCode {
  if (status === 401) return 'model.auth';
  if (status === 403) return 'model.permission';
  if (status === 404) return 'model.not_found';
  if (status === 413) return 'model.payload_too_large';
  if (status === 429) return 'model.rate_limited';
  return status >= 500 ? 'model.server' : 'model.format';
}

const problem = (code: ErrorCode, message: string, cause?: unknown) =>
  new AppError({ code, message, retry: { again: code !== 'model.bad_response' } }, { cause });

function unit(vector: readonly number[]): Float32Array {
  const norm = Math.sqrt(vector.reduce((sum, part) => sum + part * part, 0)) || 1;
  return Float32Array.from(vector, (part) => part / norm);
}
