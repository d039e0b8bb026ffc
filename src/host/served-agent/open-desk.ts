import type { Audience } from '#spec/data';
import type { Language } from '#kit/language';
import { type ConversationMind, conversationMind } from '../conversation-mind.ts';
import type { Host } from '../open-host.ts';
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
  host: Host,
  { cwd, language }: ServedAgentOptions,
  user: string,
): Promise<Desk> {
  const audience: Audience = { source: SOURCE, user, chat: SOURCE };
  const toolbox = await openToolbox(host, {
    cwd,
    audience,
    language,
    caller: SOURCE,
    engineTools: () => mind.tools(),
  });
  const mind: ConversationMind = conversationMind(host, {
    cwd,
    view: { audience, shared: false },
    language,
    ask: () => undefined,
    runReview: async () => {
      const { reviewWith } = await import('../memory/run-review.ts');
      return reviewWith(host, toolbox, () => '');
    },
    writeSummary: async () => (await import('../memory/write-summary.ts')).summaryWriter(host),
    // Many conversations share this desk: none is the one that goes on.
    session: () => '',
  });
  host.onClose(mind.settled);
  return { audience, toolbox, mind };
}
