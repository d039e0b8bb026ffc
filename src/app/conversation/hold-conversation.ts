import { lazyIndexer } from '#engines/retrieval';
import { type Conversation, openConversation } from '#engines/session';
import { fail } from '#kit/app-error';
import type { SpanContext } from '#spec/ports';
import type { Dependencies } from '../dependencies.ts';
import type { Desk } from './open-desk.ts';

type Needs = Pick<Dependencies, 'database' | 'log' | 'settings' | 'tracing'>;
type Parts = Parameters<typeof openConversation>[0];

/** About how many messages a turn adds; the index is written in groups. */
const TURN_MESSAGES = 16;

/** What a way in decides for itself. Everything else is the same for every conversation. */
export interface WayIn
  extends Pick<
    Parts,
    | 'references'
    | 'toolsFor'
    | 'freeze'
    | 'modelFor'
    | 'answering'
    | 'deskFor'
    | 'moreCommands'
    | 'lateCommand'
    | 'compaction'
    | 'onLeave'
  > {
  /** How answers are read, as traces name it. */
  readonly platform: string;
  readonly parent?: SpanContext | undefined;
  /** Where it is stored; in the home unless said otherwise. */
  readonly stores?: Parts['stores'];
  /** What is not kept teaches nothing: nobody could look up where it came from. */
  readonly isKept?: boolean;
  /** In place of what is configured. */
  readonly settings?: {
    readonly [K in 'thinking' | 'temperature' | 'maxOutput']?: Parts['settings'][K] | undefined;
  };
}

/** Puts a conversation together, whoever leads it: a terminal, a page, a program. */
export async function holdConversation(
  deps: Needs,
  { toolbox, mind, audience, cwd, language }: Desk,
  { platform, parent, stores, isKept = true, settings = {}, ...own }: WayIn,
  start: { readonly resume?: string | undefined; readonly model?: string | undefined },
): Promise<Conversation> {
  const { llm, agent } = deps.settings;
  const database = await deps.database();
  const indexer = lazyIndexer(database.index);
  const { thinking = llm.thinking, temperature = llm.temperature, maxOutput = llm.max_tokens } = settings;
  const conversation = await openConversation(
    {
      ...own,
      stores: stores ?? database,
      audience,
      cwd,
      language,
      now: Date.now,
      powers: toolbox.open.powers,
      settings: {
        thinking,
        cacheTtl: llm.cache_ttl,
        ...(temperature === undefined ? {} : { temperature }),
        ...(maxOutput === undefined ? {} : { maxOutput }),
      },
      maxCalls: agent.max_calls,
      interim: agent.interim_messages,
      present: toolbox.present,
      clean: toolbox.clean,
      permit: toolbox.permit,
      checkpoints: toolbox.checkpoints,
      noCheckpoints: toolbox.noCheckpoints,
      takeNotices: mind.takeNotices,
      remind: mind.remind,
      onTurn: (ended) => {
        if (!isKept) return;
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
    start,
  );
  if (!conversation)
    throw fail('input.not_found', `There is no session '${start.resume}'.`, 'hermes sessions list');
  const tracing = await deps.tracing();
  return tracing?.conversation(conversation, { platform, parent }) ?? conversation;
}
