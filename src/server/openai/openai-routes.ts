import { openServedAgent, type ServedAgent, type ServedTurn } from '#app/agent-api';
import { AppError, fail } from '#kit/app-error';
import { API, type Contract } from '#spec/api';
import { defineRoute, type Route, type RouteAnswer, type RouteRequest } from '#spec/ports';
import { chatCompletion, chatStream } from './chat-answer.ts';
import { readChatRequest } from './chat-request.ts';
import { inputItems, keptResponse } from './kept-response.ts';
import { badParam, errorAnswer, notKept, wordRefusal } from './openai-error.ts';
import { readResponseId } from './response-id.ts';
import { readResponsesRequest } from './responses-request.ts';
import { responseStream, wholeResponse } from './responses-answer.ts';
import { wholeAnswer } from './whole-answer.ts';

type Needs = Parameters<typeof openServedAgent>[0];

interface OpenaiOptions {
  /** The folder that the agent's tools work in. */
  readonly cwd: string;
  readonly language: 'en' | 'zh';
}

const { openai: OPENAI } = API;

/** The agent behind the API that OpenAI's clients speak. */
export function openaiRoutes(host: Needs, options: OpenaiOptions): Route[] {
  let opened: ServedAgent | undefined;
  const agent = async () => (opened ??= openServedAgent(host, options));
  const createdAt = Math.floor(Date.now() / 1_000);

  const ask = (contract: Contract, handle: (request: RouteRequest) => Promise<RouteAnswer>): Route =>
    defineRoute({
      ...contract,
      refusal: wordRefusal,
      handle: (request) => handle(request).catch(errorAnswer),
    });

  return [
    defineRoute({
      ...OPENAI.models,
      refusal: wordRefusal,
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
    ask(OPENAI.chat, async (request) => {
      const asked = readChatRequest(request);
      const { turn, leave } = await begin(await agent(), asked.request, request.signal);
      const headers = headersOf(turn);
      if (!asked.stream) return wholeAnswer(chatCompletion(asked, turn), headers);
      return { status: 200, headers, body: leaving(chatStream(asked, turn), leave) };
    }),
    ask(OPENAI.responses, async (request) => {
      const asked = readResponsesRequest(request);
      const { turn, leave } = await begin(await agent(), asked.request, request.signal).catch(sayNotKept);
      const headers = headersOf(turn);
      if (!asked.stream) return wholeAnswer(wholeResponse(asked, turn), headers);
      return { status: 200, headers, body: leaving(responseStream(asked, turn), leave) };
    }),
    ...keptRoutes(agent),
  ];
}

/** Responses that are kept, for whoever began them. To others they do not exist. */
function keptRoutes(agent: () => Promise<ServedAgent>): Route[] {
  const route = (
    contract: Contract,
    handle: (place: Parameters<ServedAgent['kept']>, request: RouteRequest) => Promise<object>,
  ): Route =>
    defineRoute({
      ...contract,
      refusal: wordRefusal,
      handle: async (request) => {
        try {
          return { status: 200, body: await handle(placeOf(request), request) };
        } catch (thrown) {
          return errorAnswer(thrown);
        }
      },
    });
  return [
    route(OPENAI.kept, async (place, { query }) => {
      if (query.get('stream') === 'true')
        throw badParam('stream', 'stream: what is kept comes in one piece.', 'unsupported_value');
      return keptResponse(await (await agent()).kept(...place));
    }),
    route(OPENAI.input, async (place, { query }) => inputItems(await (await agent()).kept(...place), query)),
    route(OPENAI.forget, async (place, { params }) => {
      await (await agent()).forget(...place);
      return { id: params['id'], object: 'response', deleted: true };
    }),
    route(OPENAI.cancel, async (place) => keptResponse(await (await agent()).interrupt(...place))),
  ];
}

function placeOf({ params, principal }: RouteRequest): Parameters<ServedAgent['kept']> {
  const place = readResponseId(params['id'] ?? '');
  if (!place) throw fail('input.not_found', 'There is no such response.');
  return [principal?.user ?? '', place];
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

/** Of all that a request for a response names, only the one before it can be missing. */
function sayNotKept(thrown: unknown): never {
  if (thrown instanceof AppError && thrown.record.code === 'input.not_found') throw notKept();
  throw thrown;
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
