import type { ToolSet } from '#engines/agent';
import { lazyIndexer } from '#engines/retrieval';
import { openConversation } from '#engines/session';
import { fail } from '#kit/app-error';
import type { Message } from '#spec/data';
import type { Model } from '#spec/ports';
import type { Dependencies } from '../dependencies.ts';
import { isHandedOver } from './client-tools.ts';
import type { Desk, ServedAgentOptions } from './open-desk.ts';
import type { PlacedSession } from './place-session.ts';
import type { ServedRequest } from './served.ts';

/** About how many messages a turn adds; the index is written in groups. */
const TURN_MESSAGES = 16;

interface Converse {
  readonly deps: Dependencies;
  readonly options: ServedAgentOptions;
  readonly desk: Desk;
  readonly placed: PlacedSession;
  readonly model: Model;
  readonly tools: ToolSet;
  readonly request: ServedRequest;
}

/**
 * The conversation of a session that has been placed. `steps`: what its last turn added after the user's
 * words, but for results that are yet to come.
 */
export async function converse({ deps, options, desk, placed, model, tools, request }: Converse) {
  const { toolbox, mind, audience } = desk;
  const { llm, agent } = deps.settings;
  const database = await deps.database();
  const indexer = lazyIndexer(database.index);
  const { temperature = llm.temperature, maxOutput = llm.max_tokens, thinking } = request.settings;
  const none = async () => undefined;
  const conversation = await openConversation(
    {
      stores: placed.stores,
      audience,
      cwd: options.cwd,
      language: options.language,
      now: Date.now,
      powers: toolbox.open.powers,
      // A program means what it says: `@notes.txt` in a text that it passes on names no file of ours.
      references: { file: none, folder: none, diff: none, url: none },
      settings: {
        thinking: thinking ?? llm.thinking,
        cacheTtl: llm.cache_ttl,
        ...(temperature === undefined ? {} : { temperature }),
        ...(maxOutput === undefined ? {} : { maxOutput }),
      },
      maxCalls: agent.max_calls,
      interim: agent.interim_messages,
      toolsFor: async () => tools,
      freeze: () => Promise.reject(fail('internal', 'A session that is served has its prefix already.')),
      modelFor: async () => model,
      answering: async () => undefined,
      present: toolbox.present,
      clean: toolbox.clean,
      permit: toolbox.permit,
      moreCommands: {},
      checkpoints: toolbox.checkpoints,
      noCheckpoints: toolbox.noCheckpoints,
      deskFor: () => ({ pending: async () => [], decide: () => Promise.reject(noDesk()) }),
      takeNotices: mind.takeNotices,
      remind: mind.remind,
      onTurn: (ended) => {
        // What is not kept teaches nothing: nobody could look up where it came from.
        if (!placed.isKept) return;
        // What cannot be indexed now is caught up before the next search.
        const { session } = ended;
        void indexer
          .wrote(TURN_MESSAGES)
          .catch((thrown: unknown) =>
            deps.log.warn('part.failed', { part: 'search index', session, thrown }),
          );
        mind.ended(ended);
      },
    },
    { resume: placed.id },
  );
  if (!conversation) throw fail('input.not_found', `There is no session '${placed.id}'.`);
  const about = { platform: audience.source, parent: request.trace };
  const traced = (await deps.tracing())?.conversation(conversation, about) ?? conversation;
  return {
    send: (signal: AbortSignal) => traced.send(placed.said, signal),
    steps: async (): Promise<readonly Message[]> =>
      (await conversation.messages())
        .filter(({ turn, kind, message }) => {
          const isSaid = kind === 'plain' && message.role === 'user';
          return turn === placed.turn && !isSaid && !isHandedOver(message);
        })
        .map(({ message }) => message),
  };
}

const noDesk = () => fail('input.forbidden', 'Requests for agreement are not answered here.');
