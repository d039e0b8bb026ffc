import { deferredTools, type ToolSet, toolSet, type BatchDeps } from '#engines/agent';
import { redact, type KnownSecrets } from '#kit/redact';
import type { Language } from '#kit/language';
import type { Audience, Caller } from '#spec/data';
import type { AskUser, Tool, SessionRecall } from '#spec/ports';
import { conversationPermit, requesterOf } from '../approvals/conversation-permit.ts';
import type { Dependencies, Conversations } from '../dependencies.ts';
import { hookedTool } from '../conversation/hooked.ts';
import { incidentToolsOf, withoutNamesakes, workingTools } from './all-tools.ts';
import { modelAsker } from '#engines/models';
import { cutMiddle } from '#kit/cut-middle';
import type { KeptFiles } from './open-place.ts';
import { messageText, searchSessions } from '#engines/retrieval';

type Needs = Pick<
  Dependencies,
  | 'auxiliary'
  | 'builtInTools'
  | 'database'
  | 'gate'
  | 'incidentFile'
  | 'incidents'
  | 'language'
  | 'mcp'
  | 'memory'
  | 'onClose'
  | 'openPlace'
  | 'plugins'
  | 'profile'
  | 'redactor'
  | 'sees'
  | 'settings'
>;

export interface ToolboxOptions {
  readonly cwd: string;
  readonly audience: Audience;
  readonly language: Language;
  readonly caller: Caller;
  readonly model?: string | undefined;
  /** Chosen by a person, never by what a model writes. */
  readonly backend?: string | undefined;
  readonly withoutSandbox?: boolean | undefined;
  /** Tools that drive the engines of this home: memory, skills. */
  readonly engineTools: () => Promise<readonly Tool[]>;
}

export type Toolbox = Awaited<ReturnType<typeof openToolbox>>;

/** Everything that calls of one place need: the tools, what they can reach, and the gate before them. */
export async function openToolbox(deps: Needs, options: ToolboxOptions) {
  const { cwd, audience, language, caller } = options;
  const plugins = await deps.plugins();
  const { runHooks } = plugins;
  const open = await deps.openPlace({
    cwd,
    audience,
    language,
    recall: sessionRecall(await deps.database(), audience),
    sandboxes: plugins.sandboxes,
    backend: options.backend,
    withoutSandbox: options.withoutSandbox,
    askModel: modelAsker(() => deps.auxiliary(options.model)),
  });
  deps.onClose(open.close);
  const secrets = (await deps.redactor()).secrets;
  const { workspace } = open;
  const acting = { caller, profile: deps.profile, audience } as const;

  return {
    open,
    audience,
    plugins,
    checkpoints: workspace.checkpoints,
    noCheckpoints: workspace.absent,
    requester: (session: string) => requesterOf(acting, session),
    /** The tools that work here, and what is to be told about those that were left out. */
    toolsFor: async (
      ask: AskUser | undefined,
    ): Promise<{ readonly tools: ToolSet; readonly notices: readonly string[] }> => {
      const place = { ...open.powers, sees: await deps.sees(options.model), ...(ask ? { ask } : {}) };
      const mcp = await deps.mcp(cwd);
      const ours = [
        ...(await deps.builtInTools()),
        ...(await incidentToolsOf(deps)),
        ...(await options.engineTools()),
      ];
      const brought = [...plugins.tools, ...((await mcp?.tools()) ?? [])];
      const taken = [...ours, ...deferredTools([...ours, ...brought])].map(({ name }) => name);
      const theirs = withoutNamesakes(brought, taken);
      const tools = workingTools([...ours, ...theirs.tools], deps.settings, place).map((tool) =>
        hookedTool(tool, runHooks),
      );
      return { tools: toolSet([...tools, ...deferredTools(tools)]), notices: theirs.notices };
    },
    permit: conversationPermit({
      ...acting,
      gate: deps.gate,
      language,
      placeOf: open.placeOf,
      runHooks,
      beforeChange: workspace.beforeChange,
    }),
    present: resultPresenter(open.kept, secrets),
    clean: (text: string) => redact(text, secrets),
  };
}

/** Makes what a tool says fit for the model: without secrets, and where it is long, a preview of a file that has it all. */
function resultPresenter(kept: KeptFiles, secrets: KnownSecrets): BatchDeps['present'] {
  return async (text, limit, { name }) => {
    const clean = redact(text, secrets);
    if (clean.length <= limit) return clean;
    const path = await kept.keep(`${name}.txt`, new TextEncoder().encode(clean));
    const note = `\n\n[${clean.length} characters; all of it: read_file ${path}]`;
    return `${cutMiddle(clean, Math.max(200, limit - note.length))}${note}`;
  };
}

const MOST_CHARS = 1_200;

/** Past conversations of the same people, as tools see them. */
function sessionRecall({ index, sessions }: Conversations, audience: Audience): SessionRecall {
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
        text: messageText(message.message).slice(0, MOST_CHARS),
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
