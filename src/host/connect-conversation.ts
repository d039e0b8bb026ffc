import { homedir } from 'node:os';
import { localReferences } from '#adapters/references';
import { fileTools, localFiles } from '#adapters/tools';
import { deferredTools, toolSet } from '#engines/agent';
import { lazyIndexer, messageText, searchSessions } from '#engines/retrieval';
import {
  assemblePrompt,
  type Conversation,
  openConversation,
  PLATFORM_HINTS,
  sessionTools,
} from '#engines/session';
import { fail } from '#kit/app-error';
import type { Audience } from '#spec/data';
import type { AskUser, SessionRecall } from '#spec/ports';
import { findSession, localAudience } from './find-session.ts';
import type { ConversationOptions, Host } from './open-host.ts';
import { permit } from './permit.ts';
import { readPromptInputs } from './prompt-inputs.ts';

/** About how many messages a turn adds; the index is written in groups. */
const TURN_MESSAGES = 16;

/** Brings a conversation together: where engines meet stores, files, tools and models. */
export async function connectConversation(host: Host, options: ConversationOptions): Promise<Conversation> {
  const { home, loaded } = host;
  const { llm, agent } = loaded.config;
  const database = await host.database();
  const audience = localAudience();
  const files = localFiles({ root: options.cwd, protectedPaths: [home.base], userHome: homedir() });
  const all = [...(await sessionTools()), ...(await fileTools())];
  const enabled = all.filter(({ toolset }) => !agent.disabled_toolsets.includes(toolset));
  const indexer = lazyIndexer(database.index);
  let asking: AskUser | undefined;

  const conversation = await openConversation(
    {
      stores: database,
      audience,
      cwd: options.cwd,
      language: options.language,
      now: Date.now,
      files,
      recall: recallOf(database, audience),
      references: localReferences(files),
      settings: {
        thinking: options.thinking ?? llm.thinking,
        cacheTtl: llm.cache_ttl,
        ...(llm.temperature === undefined ? {} : { temperature: llm.temperature }),
        ...(llm.max_tokens === undefined ? {} : { maxOutput: llm.max_tokens }),
      },
      maxCalls: agent.max_calls,
      toolsFor: (ask) => {
        asking = ask;
        const available = enabled.filter((tool) => tool.available?.(ask ? { ask } : {}) ?? true);
        return toolSet([...available, ...deferredTools(available)]);
      },
      freeze: async (info, tools) => {
        const prompt = assemblePrompt({
          ...(await readPromptInputs(home, options.cwd)),
          platform: PLATFORM_HINTS[options.platform] ?? '',
          toolNames: tools.names,
          contextWindow: info.contextWindow,
        });
        return { prefix: { system: prompt.blocks, tools: tools.specs }, notices: prompt.notices };
      },
      modelFor: async (text, override) => (await (await host.models(override)).turn(text)).model,
      answering: (override) => host.answering(override),
      permit: (tool, input, call) => permit(tool, input, call, asking),
      // What cannot be indexed now is caught up before the next search.
      onTurn: () => void indexer.wrote(TURN_MESSAGES).catch(() => undefined),
    },
    { resume: await resumeId(host, options), model: options.model },
  );
  if (!conversation)
    throw fail('input.invalid', `there is no session '${options.resume}'`, 'hermes sessions list');
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

/** Past conversations of the same people, as tools see them. */
function recallOf(
  { index, sessions }: Awaited<ReturnType<Host['database']>>,
  audience: Audience,
): SessionRecall {
  const titles = async (ids: readonly string[]) =>
    new Map(
      await Promise.all(ids.map(async (id) => [id, (await sessions.get(id))?.session.title ?? ''] as const)),
    );
  return {
    search: async (query, limit) => {
      const hits = await searchSessions(query, { index }, { scope: { audience }, limit });
      const named = await titles([...new Set(hits.map(({ session }) => session))]);
      return hits.map(({ session, score, message }) => ({
        session,
        score,
        title: named.get(session) ?? '',
        at: message.at,
        role: message.message.role,
        text: messageText(message.message).slice(0, 1_200),
      }));
    },
    recent: async (limit) =>
      (await sessions.list({ audience, limit })).map(({ id, title, updatedAt }) => ({
        session: id,
        title: title ?? '',
        at: updatedAt,
      })),
  };
}
