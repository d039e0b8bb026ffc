import { lazyIndexer } from '#engines/retrieval';
import { type Conversation, openConversation } from '#engines/session';
import { fail } from '#kit/app-error';
import type { AskUser } from '#spec/ports';
import { type ConversationMind, conversationMind } from './conversation-mind.ts';
import { findSession, localAudience } from './find-session.ts';
import { freezePrefix } from './freeze-prefix.ts';
import { approvalsDesk } from './gate/approvals-desk.ts';
import type { ConversationOptions, Host } from './open-host.ts';
import { hookedModel } from './plugins/hooked.ts';
import { pluginCommands } from './plugins/plugin-commands.ts';
import { conversationReferences } from './tools/conversation-references.ts';
import { openToolbox } from './tools/open-toolbox.ts';

/** About how many messages a turn adds; the index is written in groups. */
const TURN_MESSAGES = 16;
const HOOK_MS = 30_000;

/** Brings a conversation together: where engines meet stores, files, tools and models. */
export async function connectConversation(host: Host, options: ConversationOptions): Promise<Conversation> {
  const { home, loaded } = host;
  const { llm, agent, compression } = loaded.config;
  const database = await host.database();
  const audience = options.audience ?? localAudience();
  const toolbox = await openToolbox(host, {
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
  const mind: ConversationMind = conversationMind(host, {
    cwd: options.cwd,
    view: { audience, shared: false },
    language: options.language,
    ask: () => asking,
    runReview: async () => {
      const { reviewWith } = await import('./memory/run-review.ts');
      return reviewWith(host, toolbox, () => conversation?.session.id ?? '');
    },
    writeSummary: async () => (await import('./memory/write-summary.ts')).summaryWriter(host),
    session: () => conversation?.session.id ?? '',
  });
  host.onClose(mind.settled);

  const conversation: Conversation | undefined = await openConversation(
    {
      stores: database,
      audience,
      cwd: options.cwd,
      language: options.language,
      now: Date.now,
      powers: open.powers,
      references: conversationReferences(open, async () => {
        const session = conversation?.session.id ?? '';
        await (await host.gate()).note(toolbox.requester(session), ['untrusted']);
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
        ...(compression.model ? { writer: () => host.auxiliary(compression.model) } : {}),
      },
      toolsFor: async (ask) => {
        asking = ask;
        const { tools, notices } = await toolbox.toolsFor(ask);
        leftOut = notices;
        await mind.see(tools);
        return tools;
      },
      freeze: (info, tools) =>
        freezePrefix(home, {
          cwd: options.cwd,
          platform: options.platform,
          mind,
          info,
          tools,
          notices: leftOut,
        }),
      modelFor: async (text, override) =>
        hookedModel((await (await host.models(override)).turn(text)).model, runHooks),
      answering: (override) => host.answering(override),
      present: toolbox.present,
      clean: toolbox.clean,
      permit: toolbox.permit,
      moreCommands: { ...mind.commands, ...pluginCommands(plugins.commands) },
      lateCommand: mind.lateCommand,
      checkpoints,
      noCheckpoints: toolbox.noCheckpoints,
      deskFor: (session) => approvalsDesk(host.gate, session, audience),
      takeNotices: mind.takeNotices,
      remind: mind.remind,
      onLeave: mind.left,
      onTurn: (ended) => {
        // What cannot be indexed now is caught up before the next search.
        void indexer.wrote(TURN_MESSAGES).catch(() => undefined);
        mind.ended(ended);
      },
    },
    { resume: await resumeId(host, options), model: options.model },
  );
  if (!conversation)
    throw fail('input.invalid', `there is no session '${options.resume}'`, 'hermes sessions list');
  const told = { session: conversation.session.id, platform: options.platform };
  const { veto } = await runHooks('session.start', told, AbortSignal.timeout(HOOK_MS));
  if (veto) throw fail('tool.refused', `The plugin ${veto.plugin} does not allow it: ${veto.reason}`);
  host.onClose(async () => {
    const session = conversation.session.id;
    await runHooks('session.end', { ...told, session }, AbortSignal.timeout(HOOK_MS));
  });
  const tracing = await host.tracing();
  return tracing?.conversation(conversation, options) ?? conversation;
}

async function resumeId(
  host: Host,
  { resume, latest, cwd }: ConversationOptions,
): Promise<string | undefined> {
  if (resume) return findSession(host, resume);
  if (!latest) return undefined;
  const { sessions } = await host.database();
  const mine = await sessions.list({ audience: localAudience(), limit: 50 });
  return (mine.find((session) => session.cwd === cwd) ?? mine[0])?.id;
}
