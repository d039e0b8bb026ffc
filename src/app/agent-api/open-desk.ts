import type { Audience } from '#spec/data';
import type { Language } from '#kit/language';
import { type ConversationMind, conversationMind } from '../conversation/conversation-mind.ts';
import type { Dependencies } from '../dependencies.ts';
import { openToolbox, type Toolbox } from '../tools/open-toolbox.ts';

export interface ServedAgentOptions {
  /** The folder that tools work in. */
  readonly cwd: string;
  readonly language: Language;
}

/** The way in, as audiences, platforms and callers name it. */
export const SOURCE = 'api';

/** What is opened once for each user and shared by all its requests. */
export interface Desk {
  readonly audience: Audience;
  readonly toolbox: Toolbox;
  readonly mind: ConversationMind;
}

export async function openDesk(
  deps: Dependencies,
  { cwd, language }: ServedAgentOptions,
  user: string,
): Promise<Desk> {
  const audience: Audience = { source: SOURCE, user, chat: SOURCE };
  const toolbox = await openToolbox(deps, {
    cwd,
    audience,
    language,
    caller: SOURCE,
    engineTools: () => mind.tools(),
  });
  const mind: ConversationMind = conversationMind(deps, {
    cwd,
    view: { audience, shared: false },
    language,
    ask: () => undefined,
    runReview: async () => {
      const { reviewWith } = await import('../memory/run-review.ts');
      return reviewWith(deps, toolbox, () => '');
    },
    writeSummary: async () => (await import('../memory/write-summary.ts')).summaryWriter(deps),
    // Many conversations share this desk: none is the one that goes on.
    session: () => '',
  });
  deps.onClose(mind.settled);
  return { audience, toolbox, mind };
}
