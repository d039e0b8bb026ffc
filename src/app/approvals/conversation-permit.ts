import type { Permit } from '#engines/agent';
import type { PlaceOf } from '../tools/open-place.ts';
import type { WorkspaceCheckpoints } from '../tools/open-place.ts';
import type { Language } from '#kit/language';
import type { Audience, Caller, Requester } from '#spec/data';
import type { RunHooks, Tool } from '#spec/ports';
import { askChannel } from './ask-channel.ts';
import type { HomeGate } from './home-gate.ts';

export interface ConversationGate {
  readonly gate: () => Promise<HomeGate>;
  readonly caller: Caller;
  readonly profile: string;
  readonly audience: Audience;
  readonly language: Language;
  readonly placeOf: PlaceOf;
  /** Plugins may object, or change what is asked for; the gate judges what they make of it. */
  readonly runHooks: RunHooks;
  /** Called before an allowed call that changes something. */
  readonly beforeChange: WorkspaceCheckpoints['beforeChange'];
}

/** What every call of a conversation passes: the gate, with whoever sits at the conversation as the one to be asked. */
export function conversationPermit(deps: ConversationGate): Permit {
  return async (tool, asked, call, { session, turn, run, ask, tell, signal }) => {
    const hooked = await deps.runHooks(
      'tool.before',
      { session, call: call.id, tool: tool.name, input: asked },
      signal,
    );
    if (hooked.veto) return { allowed: false, reason: `${hooked.veto.plugin}: ${hooked.veto.reason}` };
    const isReplaced = hooked.payload.input !== asked;
    const parsed = isReplaced ? tool.input.safeParse(hooked.payload.input) : { success: true, data: asked };
    if (!parsed.success) return { allowed: false, reason: 'a plugin has made its input invalid.' };
    const input = parsed.data;
    const gate = await deps.gate();
    const channel = ask && askChannel(ask, approverOf(deps.audience), deps.language);
    const permit = await gate.permit(
      {
        tool,
        input,
        call: call.id,
        requester: requesterOf(deps, session),
        turn,
        workspace: deps.placeOf.files,
        place: deps.placeOf.backend,
        process: deps.placeOf.process,
      },
      channel,
      signal,
    );
    if (!permit.allowed) return permit;
    const unkept = changes(tool, input) ? await deps.beforeChange({ run, session, turn }) : undefined;
    if (unkept?.isNews) tell?.(unkept.text);
    return { allowed: true, input, ...(unkept ? { notice: unkept.text } : {}) };
  };
}

/** On whose behalf a conversation acts. */
export const requesterOf = (
  { caller, audience, profile }: Pick<ConversationGate, 'caller' | 'audience' | 'profile'>,
  session: string,
): Requester => ({ caller, platform: audience.source, profile, session, user: audience.user });

export const approverOf = ({ source, user }: Audience) => ({
  channel: source === 'cli' ? 'terminal' : source,
  user,
});

/** Whether files of the workspace may be others afterwards. A reading of the machine changes none. */
function changes(tool: Tool, input: unknown): boolean {
  const { command, code, feeds, writes } = tool.deed?.(input) ?? {};
  return Boolean((command && !command.reading) || code || feeds || writes?.length);
}
