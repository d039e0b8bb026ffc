import { deferredTools, type ToolSet, toolSet } from '#engines/agent';
import { redact } from '#kit/redact';
import type { Language } from '#kit/language';
import type { Audience, Caller } from '#spec/data';
import type { AskUser, Tool } from '#spec/ports';
import { conversationPermit, requesterOf } from '../gate/conversation-permit.ts';
import type { Host } from '../open-host.ts';
import { hookedTool } from '../plugins/hooked.ts';
import { knownSecrets } from '../secret-values.ts';
import { builtInTools, incidentToolsOf, withoutNamesakes, workingTools } from './all-tools.ts';
import { modelAsker } from './ask-model.ts';
import { openPowers } from './open-powers.ts';
import { resultPresenter } from './present-result.ts';
import { sessionRecall } from './session-recall.ts';
import { openWorkspaceCheckpoints } from './workspace-checkpoints.ts';

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
export async function openToolbox(host: Host, options: ToolboxOptions) {
  const { home, loaded } = host;
  const { cwd, audience, language, caller } = options;
  const plugins = await host.plugins(language);
  const { runHooks } = plugins;
  const open = await openPowers({
    home,
    loaded,
    cwd,
    audience,
    recall: sessionRecall(await host.database(), audience),
    sandboxes: plugins.sandboxes,
    backend: options.backend,
    withoutSandbox: options.withoutSandbox,
    askModel: modelAsker(() => host.auxiliary(options.model)),
  });
  host.onClose(open.close);
  const secrets = await knownSecrets(home, loaded);
  const checkpoints = await openWorkspaceCheckpoints(home, loaded, cwd, open.powers.program('git'), language);
  const acting = { caller, profile: home.profile, audience } as const;

  return {
    open,
    audience,
    plugins,
    checkpoints: checkpoints.checkpoints,
    noCheckpoints: checkpoints.absent,
    requester: (session: string) => requesterOf(acting, session),
    /** The tools that work here, and what is to be told about those that were left out. */
    toolsFor: async (
      ask: AskUser | undefined,
    ): Promise<{ readonly tools: ToolSet; readonly notices: readonly string[] }> => {
      const place = { ...open.powers, sees: await host.sees(options.model), ...(ask ? { ask } : {}) };
      const mcp = await host.mcp(cwd);
      const ours = [
        ...(await builtInTools()),
        ...(await incidentToolsOf(host)),
        ...(await options.engineTools()),
      ];
      const brought = [...plugins.tools, ...((await mcp?.tools()) ?? [])];
      const taken = [...ours, ...deferredTools([...ours, ...brought])].map(({ name }) => name);
      const theirs = withoutNamesakes(brought, taken);
      const tools = workingTools([...ours, ...theirs.tools], loaded, place).map((tool) =>
        hookedTool(tool, runHooks),
      );
      return { tools: toolSet([...tools, ...deferredTools(tools)]), notices: theirs.notices };
    },
    permit: conversationPermit({
      ...acting,
      gate: host.gate,
      language,
      placeOf: open.placeOf,
      runHooks,
      beforeChange: checkpoints.beforeChange,
    }),
    present: resultPresenter(open.kept, secrets),
    clean: (text: string) => redact(text, secrets),
  };
}
