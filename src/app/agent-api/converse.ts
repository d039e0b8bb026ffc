import type { ToolSet } from '#engines/agent';
import { fail } from '#kit/app-error';
import type { Message } from '#spec/data';
import type { Model } from '#spec/ports';
import { holdConversation } from '../conversation/hold-conversation.ts';
import type { Desk } from '../conversation/open-desk.ts';
import { isHandedOver } from './client-tools.ts';
import type { PlacedSession } from './place-session.ts';
import type { ServedRequest } from './served.ts';

interface Converse {
  readonly deps: Parameters<typeof holdConversation>[0];
  readonly desk: Desk;
  readonly placed: PlacedSession;
  readonly model: Model;
  readonly tools: ToolSet;
  readonly request: ServedRequest;
}

const none = async () => undefined;
/** A program means what it says: `@notes.txt` in a text that it passes on names no file of ours. */
const NO_REFERENCES = { file: none, folder: none, diff: none, url: none };

/**
 * The conversation of a session that has been placed. `steps`: what its last turn added after the user's
 * words, but for results that are yet to come.
 */
export async function converse({ deps, desk, placed, model, tools, request }: Converse) {
  const conversation = await holdConversation(
    deps,
    desk,
    {
      platform: desk.audience.source,
      parent: request.trace,
      stores: placed.stores,
      isKept: placed.isKept,
      settings: request.settings,
      references: () => NO_REFERENCES,
      toolsFor: async () => tools,
      freeze: () => Promise.reject(fail('internal', 'A session that is served has its prefix already.')),
      modelFor: async () => model,
      answering: async () => undefined,
      moreCommands: {},
      deskFor: () => ({ pending: async () => [], decide: () => Promise.reject(noDesk()) }),
    },
    { resume: placed.id },
  );
  return {
    send: (signal: AbortSignal) => conversation.send(placed.said, signal),
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
