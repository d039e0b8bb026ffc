import type { z } from 'zod';
import { AppError, fail, inWords } from '#kit/app-error';
import { say, tell, type Text } from '#kit/text';
import { redact } from '#kit/redact';
import { uncertain } from '#kit/uncertain-effect';
import type { ExecutionOrder } from '#spec/ports';
import { beforeEffect } from '../before-effect.ts';
import { exchange, NoAnswer, type TlsFiles, type WireAnswer } from './exchange.ts';

interface TargetOptions {
  /** For messages: `Kubernetes`. */
  readonly name: Text | string;
  readonly baseUrl: string;
  /** Asked for every request, since a token in a file may be exchanged. Never shown, whatever the other side says. */
  readonly token: () => Promise<string | undefined>;
  readonly tls?: TlsFiles | undefined;
  readonly timeoutMs: number;
  /** Where the credential comes from, for the hint of a 401: a name, never the value. */
  readonly credential: string;
}

interface TargetCall {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Begins with `/`. */
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Target {
  /** Something without an effect. Throws an `AppError`, with the status in its details. */
  read<T>(schema: z.ZodType<T>, call: TargetCall, signal: AbortSignal): Promise<T>;
  /**
   * Something with an effect, once. Asks whether it is still ours when the connection stands. Throws an `AppError` only
   * when nothing was done, and `UncertainEffect` otherwise.
   */
  act<T>(
    schema: z.ZodType<T>,
    call: TargetCall,
    order: Pick<ExecutionOrder, 'signal' | 'stillMine'>,
  ): Promise<T>;
}

const MESSAGE_CHARS = 300;
/** Refusals of HTTP that do not say whether the request was carried out. */
const UNDECIDED = new Set([408, 499]);

export function openTarget(options: TargetOptions): Target {
  const { name } = options;
  const secrets = new Set<string>();
  const clean = (text: string) =>
    redact(text, [...secrets])
      .replaceAll(/\s+/g, ' ')
      .slice(0, MESSAGE_CHARS)
      .trim();

  const send = async (call: TargetCall, signal: AbortSignal, beforeSending?: () => Promise<void>) => {
    const token = await options.token();
    if (token) secrets.add(token);
    return exchange({
      method: call.method,
      url: new URL(options.baseUrl + call.path),
      headers: {
        accept: 'application/json',
        ...(call.body === undefined ? {} : { 'content-type': call.contentType ?? 'application/json' }),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...call.headers,
      },
      body: call.body === undefined ? undefined : JSON.stringify(call.body),
      tls: options.tls,
      timeoutMs: options.timeoutMs,
      signal,
      beforeSending,
    });
  };

  const refused = ({ status, text }: WireAnswer): AppError => {
    const { credential } = options;
    const hint =
      status === 401 || status === 403 ? tell(`Check ${credential}.`, `检查 ${credential}。`) : undefined;
    const told = clean(messageIn(text));
    return new AppError({
      code: status === 409 ? 'input.conflict' : 'backend.refused',
      ...inWords(
        tell(`${say(name, 'en')} answered ${status}: ${told}`, `${say(name, 'zh')} 返回 ${status}:${told}`),
        hint,
      ),
      retry: { again: status === 429 || status >= 500 },
      details: { status },
    });
  };
  const unreachable = (cause: NoAnswer): AppError =>
    new AppError({
      code: 'backend.unreachable',
      ...inWords(
        tell(
          `${say(name, 'en')} cannot be reached: ${clean(cause.message)}.`,
          `无法连接${say(name, 'zh')}:${clean(cause.message)}。`,
        ),
      ),
      retry: { again: true },
    });

  return {
    read: async (schema, call, signal) => {
      const answer = await send(call, signal).catch((cause: unknown) => {
        throw cause instanceof NoAnswer ? unreachable(cause) : cause;
      });
      if (answer.status >= 300 || answer.status < 200) throw refused(answer);
      const told = parse(schema, answer.text);
      if (told.ok) return told.value;
      throw fail(
        'backend.bad_response',
        tell(`${say(name, 'en')} gave an answer of an unknown shape.`, `${say(name, 'zh')} 的应答格式未知。`),
      );
    },
    act: async (schema, call, order) => {
      const answer = await send(call, order.signal, () => beforeEffect(order)).catch((cause: unknown) => {
        if (!(cause instanceof NoAnswer)) throw cause;
        if (!cause.sent) throw unreachable(cause);
        throw uncertain(`The answer of ${say(name, 'en')} was lost: ${clean(cause.message)}.`);
      });
      const { status } = answer;
      if (status >= 400 && status < 500 && !UNDECIDED.has(status)) throw refused(answer);
      if (status < 200 || status >= 300)
        throw uncertain(`${say(name, 'en')} answered ${status}: ${clean(messageIn(answer.text))}`);
      const told = parse(schema, answer.text);
      if (told.ok) return told.value;
      throw uncertain(`${say(name, 'en')} gave an answer of an unknown shape.`);
    },
  };
}

/** The status with which a target refused. */
export function statusOf(thrown: unknown): number | undefined {
  const status = thrown instanceof AppError ? thrown.record.details?.status : undefined;
  return typeof status === 'number' ? status : undefined;
}

function parse<T>(schema: z.ZodType<T>, text: string): { ok: true; value: T } | { ok: false } {
  try {
    const read = schema.safeParse(JSON.parse(text || 'null'));
    return read.success ? { ok: true, value: read.data } : { ok: false };
  } catch {
    return { ok: false };
  }
}

/** The other side's own words, where the answer has the usual shape. */
function messageIn(text: string): string {
  const found = /"(?:message|error|detail)"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(text)?.[1];
  return found?.replaceAll('\\"', '"') ?? (text.trimStart().startsWith('<') ? 'a page' : text);
}
