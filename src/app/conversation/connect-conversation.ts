import { lazyIndexer } from '#engines/retrieval';
import { type Conversation, openConversation } from '#engines/session';
import { fail } from '#kit/app-error';
import type { Language } from '#kit/language';
import type { Audience, Caller, ModelRequest } from '#spec/data';
import type { AskUser } from '#spec/ports';
import { type ConversationMind, conversationMind } from './conversation-mind.ts';
import { findSession, localAudience } from '../terminal/find-session.ts';
import { freezePrefix } from './freeze-prefix.ts';
import { approvalsDesk } from '../approvals/approvals-desk.ts';
import type { Dependencies } from '../dependencies.ts';
import { hookedModel } from './hooked.ts';
import { pluginCommands } from './plugin-commands.ts';
import { openToolbox } from '../tools/open-toolbox.ts';

/** About how many messages a turn adds; the index is written in groups. */
const TURN_MESSAGES = 16;
const HOOK_MS = 30_000;

export interface ConversationOptions {
  /** Go on in this session, or in the newest of this place. */
  readonly resume?: string | undefined;
  readonly latest?: boolean | undefined;
  readonly model?: string | undefined;
  readonly thinking?: ModelRequest['thinking'];
  readonly cwd: string;
  readonly language: Language;
  /** How answers are read: `cli`, `pipe`. */
  readonly platform: string;
  /** Whose conversation it is; of whoever sits at this terminal unless said otherwise. */
  readonly audience?: Audience;
  /** The way in; a chat unless said otherwise. */
  readonly caller?: Caller;
  /** What a person has said just now about commands where there is no sandbox. */
  readonly withoutSandbox?: boolean | undefined;
}

/** Brings a conversation together: where engines meet stores, files, tools and models. */
export async function connectConversation(
  deps: Dependencies,
  options: ConversationOptions,
): Promise<Conversation> {
  const { llm, agent, compression } = deps.settings;
  const database = await deps.database();
  const audience = options.audience ?? localAudience();
  const toolbox = await openToolbox(deps, {
    cwd: options.cwd,
    audience,
    language: options.language,
    caller: options.caller ?? 'chat',
    model: options.model,
    withoutSandbox: options.withoutSandbox,
    engineTools: () => mind.tools(),
  });
  const { open, plugins, checkpoints } = toolbox;
  const { runHooks } = plugins;
  const indexer = lazyIndexer(database.index);
  let leftOut: readonly string[] = [];
  let asking: AskUser | undefined;
  const mind: ConversationMind = conversationMind(deps, {
    cwd: options.cwd,
    view: { audience, shared: false },
    language: options.language,
    ask: () => asking,
    runReview: async () => {
      const { reviewWith } = await import('../memory/run-review.ts');
      return reviewWith(deps, toolbox, () => conversation?.session.id ?? '');
    },
    writeSummary: async () => (await import('../memory/write-summary.ts')).summaryWriter(deps),
    session: () => conversation?.session.id ?? '',
  });
  deps.onClose(mind.settled);

  const conversation: Conversation | undefined = await openConversation(
    {
      stores: database,
      audience,
      cwd: options.cwd,
      language: options.language,
      now: Date.now,
      powers: open.powers,
      references: open.references(async () => {
        const session = conversation?.session.id ?? '';
        await (await deps.gate()).note(toolbox.requester(session), ['untrusted']);
      }),
      settings: {
        thinking: options.thinking ?? llm.thinking,
        cacheTtl: llm.cache_ttl,
        ...(llm.temperature === undefined ? {} : { temperature: llm.temperature }),
        ...(llm.max_tokens === undefined ? {} : { maxOutput: llm.max_tokens }),
      },
      maxCalls: agent.max_calls,
      interim: agent.interim_messages,
      compaction: {
        enabled: compression.enabled,
        threshold: compression.threshold,
        keepLast: compression.keep_last,
        ...(compression.model ? { writer: () => deps.auxiliary(compression.model) } : {}),
      },
      toolsFor: async (ask) => {
        asking = ask;
        const { tools, notices } = await toolbox.toolsFor(ask);
        leftOut = notices;
        await mind.see(tools);
        return tools;
      },
      freeze: (info, tools) =>
        freezePrefix(deps, {
          cwd: options.cwd,
          platform: options.platform,
          mind,
          info,
          tools,
          notices: leftOut,
        }),
      modelFor: async (text, override) =>
        hookedModel((await (await deps.models(override)).turn(text)).model, runHooks),
      answering: (override) => deps.answering(override),
      present: toolbox.present,
      clean: toolbox.clean,
      permit: toolbox.permit,
      moreCommands: { ...mind.commands, ...pluginCommands(plugins.commands) },
      lateCommand: mind.lateCommand,
      checkpoints,
      noCheckpoints: toolbox.noCheckpoints,
      deskFor: (session) => approvalsDesk(deps.gate, session, audience),
      takeNotices: mind.takeNotices,
      remind: mind.remind,
      onLeave: mind.left,
      onTurn: (ended) => {
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
    { resume: await resumeId(deps, options), model: options.model },
  );
  if (!conversation)
    throw fail('input.invalid', `there is no session '${options.resume}'`, 'hermes sessions list');
  const told = { session: conversation.session.id, platform: options.platform };
  const { veto } = await runHooks('session.start', told, AbortSignal.timeout(HOOK_MS));
  if (veto) throw fail('tool.refused', `The plugin ${veto.plugin} does not allow it: ${veto.reason}`);
  deps.onClose(async () => {
    const session = conversation.session.id;
    await runHooks('session.end', { ...told, session }, AbortSignal.timeout(HOOK_MS));
  });
  const tracing = await deps.tracing();
  return tracing?.conversation(conversation, options) ?? conversation;
}

async function resumeId(
  deps: Dependencies,
  { resume, latest, cwd }: ConversationOptions,
): Promise<string | undefined> {
  if (resume) return findSession(deps, resume);
  if (!latest) return undefined;
  const { sessions } = await deps.database();
  const mine = await sessions.list({ audience: localAudience(), limit: 50 });
  return (mine.find((session) => session.cwd === cwd) ?? mine[0])?.id;
}
