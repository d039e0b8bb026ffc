import { type Host, openServedAgent, type ServedAgent, type ServedTurn } from '#host';
import { defineRoute, type Route, type RouteAnswer, type RouteRequest } from '#spec/ports';
import { chatCompletion, chatStream } from './chat-answer.ts';
import { readChatRequest } from './chat-request.ts';
import { errorAnswer } from './openai-error.ts';
import { readResponsesRequest } from './responses-request.ts';
import { responseStream, wholeResponse } from './responses-answer.ts';

export interface OpenaiOptions {
  /** The folder that the agent's tools work in. */
  readonly cwd: string;
  readonly language: 'en' | 'zh';
}

/** Conversations with pictures are large. */
const MAX_BYTES = 24 * 1024 * 1024;

/** The agent behind the API that OpenAI's clients speak. */
export function openaiRoutes(host: Host, options: OpenaiOptions): Route[] {
  let opened: Promise<ServedAgent> | undefined;
  const agent = () => (opened ??= openServedAgent(host, options));
  const createdAt = Math.floor(Date.now() / 1_000);

  /** `write`: a turn may change things, so a token that only reads cannot begin one. */
  const ask = (path: string, handle: (request: RouteRequest) => Promise<RouteAnswer>): Route =>
    defineRoute({
      method: 'POST',
      path,
      access: 'write',
      maxBytes: MAX_BYTES,
      handle: (request) => handle(request).catch(errorAnswer),
    });

  return [
    defineRoute({
      method: 'GET',
      path: '/v1/models',
      access: 'read',
      handle: async () => {
        const data = (await (await agent()).models()).map(({ id, answers }) => ({
          id,
          object: 'model',
          created: createdAt,
          owned_by: 'hermes',
          ...(answers ? { x_hermes: { model: answers } } : {}),
        }));
        return { status: 200, body: { object: 'list', data } };
      },
    }),
    ask('/v1/chat/completions', async (request) => {
      const asked = readChatRequest(request);
      const { turn, leave } = await begin(await agent(), asked.request, request.signal);
      const headers = headersOf(turn);
      if (!asked.stream) return { status: 200, headers, body: await chatCompletion(asked, turn) };
      return { status: 200, headers, body: leaving(chatStream(asked, turn), leave) };
    }),
    ask('/v1/responses', async (request) => {
      const asked = readResponsesRequest(request);
      const { turn, leave } = await begin(await agent(), asked.request, request.signal);
      const headers = headersOf(turn);
      if (!asked.stream) return { status: 200, headers, body: await wholeResponse(asked, turn) };
      return { status: 200, headers, body: leaving(responseStream(asked, turn), leave) };
    }),
  ];
}

/** Begins a turn that ends when its reader leaves, however it leaves. */
async function begin(
  agent: ServedAgent,
  asked: Parameters<ServedAgent['run']>[0],
  signal: AbortSignal,
): Promise<{ readonly turn: ServedTurn; readonly leave: () => void }> {
  const left = new AbortController();
  const turn = await agent.run(asked, AbortSignal.any([signal, left.signal]));
  return { turn, leave: () => left.abort() };
}

const headersOf = ({ kept }: ServedTurn): Record<string, string> =>
  kept ? { 'x-hermes-session': kept.session } : {};

async function* leaving(
  pieces: AsyncIterable<string>,
  leave: () => void,
): AsyncGenerator<string, void, undefined> {
  try {
    yield* pieces;
  } finally {
    leave();
  }
}
