import type { ToolSet } from '#engines/agent';
import type { Language } from '#kit/language';
import type { Audience, Caller } from '#spec/data';
import type { AskUser } from '#spec/ports';
import type { Dependencies } from '../dependencies.ts';
import { openToolbox, type Toolbox } from '../tools/open-toolbox.ts';
import { type ConversationMind, conversationMind } from './conversation-mind.ts';

type Needs = Pick<
  Dependencies,
  | 'answering'
  | 'auxiliary'
  | 'builtInTools'
  | 'database'
  | 'engineTools'
  | 'env'
  | 'flows'
  | 'gate'
  | 'incidentFile'
  | 'incidents'
  | 'language'
  | 'log'
  | 'mcp'
  | 'memory'
  | 'models'
  | 'onClose'
  | 'openPlace'
  | 'plugins'
  | 'profile'
  | 'redactor'
  | 'sees'
  | 'settings'
  | 'skills'
  | 'tracing'
>;

export interface DeskOptions {
  readonly audience: Audience;
  readonly cwd: string;
  readonly language: Language;
  /** The way in. */
  readonly caller: Caller;
  readonly model?: string | undefined;
  readonly withoutSandbox?: boolean | undefined;
}

/** What is opened for somebody at one place, and shared by the conversations that they hold there. */
export interface Desk extends Pick<DeskOptions, 'audience' | 'cwd' | 'language'> {
  readonly toolbox: Toolbox;
  readonly mind: ConversationMind;
  /** The tools that work here, and what is to be told about those that were left out. */
  toolsFor(
    ask: AskUser | undefined,
  ): Promise<{ readonly tools: ToolSet; readonly notices: readonly string[] }>;
}

export async function openDesk(deps: Needs, options: DeskOptions): Promise<Desk> {
  const { audience, cwd, language } = options;
  let asking: AskUser | undefined;
  const toolbox = await openToolbox(deps, { ...options, engineTools: () => mind.tools() });
  const mind: ConversationMind = conversationMind(deps, {
    cwd,
    view: { audience, shared: false },
    language,
    ask: () => asking,
    runReview: async () => (await import('../memory/run-review.ts')).reviewWith(deps, toolbox),
    writeSummary: async () => (await import('../memory/write-summary.ts')).summaryWriter(deps),
  });
  deps.onClose(mind.settled);
  return {
    audience,
    cwd,
    language,
    toolbox,
    mind,
    toolsFor: async (ask) => {
      asking = ask;
      const offered = await toolbox.toolsFor(ask);
      await mind.see(offered.tools);
      return offered;
    },
  };
}
