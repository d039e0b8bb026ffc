import type { Conversation, ApprovalsDesk, SlashCommand } from '#engines/session';
import { fail } from '#kit/app-error';
import type { Language } from '#kit/language';
import type { Audience, Caller, ModelRequest } from '#spec/data';
import { holdConversation } from './hold-conversation.ts';
import { openDesk } from './open-desk.ts';
import { findSession, localAudience } from '../terminal/find-session.ts';
import { freezePrefix } from './freeze-prefix.ts';
import type { Dependencies } from '../dependencies.ts';
import { hookedModel } from './hooked.ts';
import { approverOf } from '../approvals/conversation-permit.ts';
import type { HomeGate } from '../approvals/home-gate.ts';
import type { PluginCommand } from '#spec/ports';

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
  | 'promptInputs'
  | 'redactor'
  | 'sees'
  | 'settings'
  | 'skills'
  | 'tracing'
>;

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

/** A conversation of a person, at a terminal or at a page. */
export async function connectConversation(deps: Needs, options: ConversationOptions): Promise<Conversation> {
  const { compression } = deps.settings;
  const { audience = localAudience(), caller = 'chat', cwd, platform } = options;
  const desk = await openDesk(deps, { ...options, audience, caller });
  const { toolbox, mind } = desk;
  const { plugins, open } = toolbox;
  const { runHooks } = plugins;
  let leftOut: readonly string[] = [];
  const conversation = await holdConversation(
    deps,
    desk,
    {
      platform,
      settings: { thinking: options.thinking },
      references: (session) =>
        open.references(async () => (await deps.gate()).note(toolbox.requester(session), ['untrusted'])),
      compaction: {
        enabled: compression.enabled,
        threshold: compression.threshold,
        keepLast: compression.keep_last,
        ...(compression.model ? { writer: () => deps.auxiliary(compression.model) } : {}),
      },
      toolsFor: async (ask) => {
        const { tools, notices } = await desk.toolsFor(ask);
        leftOut = notices;
        return tools;
      },
      freeze: (info, tools) => freezePrefix(deps, { cwd, platform, mind, info, tools, notices: leftOut }),
      modelFor: async (text, override) =>
        hookedModel((await (await deps.models(override)).turn(text)).model, runHooks),
      answering: (override) => deps.answering(override),
      moreCommands: { ...mind.commands, ...pluginCommands(plugins.commands) },
      lateCommand: mind.lateCommand,
      deskFor: (session) => approvalsDesk(deps.gate, session, audience),
      onLeave: mind.left,
    },
    { resume: await resumeId(deps, options), model: options.model },
  );
  const told = { session: conversation.session.id, platform };
  const { veto } = await runHooks('session.start', told, AbortSignal.timeout(HOOK_MS));
  if (veto) throw fail('tool.refused', `The plugin ${veto.plugin} does not allow it: ${veto.reason}`);
  deps.onClose(async () => {
    const session = conversation.session.id;
    await runHooks('session.end', { ...told, session }, AbortSignal.timeout(HOOK_MS));
  });
  return conversation;
}

async function resumeId(
  deps: Needs,
  { resume, latest, cwd }: ConversationOptions,
): Promise<string | undefined> {
  if (resume) return findSession(deps, resume);
  if (!latest) return undefined;
  const { sessions } = await deps.database();
  const mine = await sessions.list({ audience: localAudience(), limit: 50 });
  return (mine.find((session) => session.cwd === cwd) ?? mine[0])?.id;
}

/** The requests of one session, for the person at it. */
function approvalsDesk(gate: () => Promise<HomeGate>, session: string, audience: Audience): ApprovalsDesk {
  return {
    pending: async () => (await gate()).pending(session),
    decide: async (id, granted, scope) => {
      const { approvals, decide } = await gate();
      const asked = await approvals.get(id);
      if (asked?.requester.session !== session)
        throw fail('input.invalid', `There is no request '${id}' in this session.`, 'hermes approvals');
      return decide(id, { granted, scope, by: approverOf(audience) });
    },
  };
}

/** Commands of plugins as a conversation has them. They see no more of it than its id. */
const pluginCommands = (commands: readonly PluginCommand[]): Record<string, SlashCommand> =>
  Object.fromEntries(
    commands.map((command) => [
      command.name,
      {
        summary: { en: command.summary, zh: command.summary },
        ...(command.usage === undefined ? {} : { usage: command.usage }),
        run: (args, { state, signal }) => command.run(args, { session: state.session.id, signal }),
      } satisfies SlashCommand,
    ]),
  );
