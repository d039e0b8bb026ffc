import { deferredTools, toolSet } from '#engines/agent';
import { lazyIndexer } from '#engines/retrieval';
import { assemblePrompt, type Conversation, openConversation, PLATFORM_HINTS } from '#engines/session';
import { fail } from '#kit/app-error';
import { redact } from '#kit/redact';
import type { AskUser } from '#spec/ports';
import { findSession, localAudience } from './find-session.ts';
import { approvalsDesk } from './gate/approvals-desk.ts';
import { conversationPermit, requesterOf } from './gate/conversation-permit.ts';
import type { ConversationOptions, Host } from './open-host.ts';
import { hookedModel, hookedTool } from './plugins/hooked.ts';
import { pluginCommands } from './plugins/plugin-commands.ts';
import { readPromptInputs } from './prompt-inputs.ts';
import { knownSecrets } from './secret-values.ts';
import { builtInTools, withoutNamesakes, workingTools } from './tools/all-tools.ts';
import { openWorkspaceCheckpoints } from './tools/workspace-checkpoints.ts';
import { modelAsker } from './tools/ask-model.ts';
import { conversationReferences } from './tools/conversation-references.ts';
import { openPowers } from './tools/open-powers.ts';
import { resultPresenter } from './tools/present-result.ts';
import { sessionRecall } from './tools/session-recall.ts';

/** About how many messages a turn adds; the index is written in groups. */
const TURN_MESSAGES = 16;
const HOOK_MS = 30_000;

/** Brings a conversation together: where engines meet stores, files, tools and models. */
export async function connectConversation(host: Host, options: ConversationOptions): Promise<Conversation> {
  const { home, loaded } = host;
  const { llm, agent } = loaded.config;
  const database = await host.database();
  const audience = localAudience();
  const plugins = await host.plugins(options.language);
  const { runHooks } = plugins;
  const open = await openPowers({
    home,
    loaded,
    cwd: options.cwd,
    audience,
    recall: sessionRecall(database, audience),
    sandboxes: plugins.sandboxes,
    askModel: modelAsker(() => host.auxiliary(options.model)),
  });
  host.onClose(open.close);
  const secrets = await knownSecrets(home, loaded);
  const indexer = lazyIndexer(database.index);
  let namesakes: readonly string[] = [];
  const checkpoints = await openWorkspaceCheckpoints(home, loaded, options.cwd, open.powers.program('git'));

  const acting = { caller: options.caller ?? 'chat', profile: home.profile, audience } as const;

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
        await (await host.gate()).note(requesterOf(acting, session), ['untrusted']);
      }),
      settings: {
        thinking: options.thinking ?? llm.thinking,
        cacheTtl: llm.cache_ttl,
        ...(llm.temperature === undefined ? {} : { temperature: llm.temperature }),
        ...(llm.max_tokens === undefined ? {} : { maxOutput: llm.max_tokens }),
      },
      maxCalls: agent.max_calls,
      toolsFor: async (ask: AskUser | undefined) => {
        const place = { ...open.powers, sees: await host.sees(options.model), ...(ask ? { ask } : {}) };
        const mcp = await host.mcp(options.cwd);
        const ours = await builtInTools();
        const brought = [...plugins.tools, ...((await mcp?.tools()) ?? [])];
        const taken = [...ours, ...deferredTools([...ours, ...brought])].map(({ name }) => name);
        const theirs = withoutNamesakes(brought, taken);
        namesakes = theirs.notices;
        const all = [...ours, ...theirs.tools];
        const tools = workingTools(all, loaded, place).map((tool) => hookedTool(tool, runHooks));
        return toolSet([...tools, ...deferredTools(tools)]);
      },
      freeze: async (info, tools) => {
        const prompt = assemblePrompt({
          ...(await readPromptInputs(home, options.cwd)),
          platform: PLATFORM_HINTS[options.platform] ?? '',
          toolNames: tools.names,
          contextWindow: info.contextWindow,
        });
        const notices = [...prompt.notices, ...namesakes];
        return { prefix: { system: prompt.blocks, tools: tools.specs }, notices };
      },
      modelFor: async (text, override) =>
        hookedModel((await (await host.models(override)).turn(text)).model, runHooks),
      answering: (override) => host.answering(override),
      present: resultPresenter(open.kept, secrets),
      clean: (text) => redact(text, secrets),
      permit: conversationPermit({
        ...acting,
        gate: host.gate,
        language: options.language,
        placeOf: open.placeOf,
        runHooks,
        beforeChange: (turn) => checkpoints?.beforeChange(turn) ?? Promise.resolve(),
      }),
      moreCommands: pluginCommands(plugins.commands),
      checkpoints: checkpoints?.checkpoints,
      deskFor: (session) => approvalsDesk(host.gate, session, audience),
      // What cannot be indexed now is caught up before the next search.
      onTurn: () => void indexer.wrote(TURN_MESSAGES).catch(() => undefined),
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
  return conversation;
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
