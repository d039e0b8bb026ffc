import type { z } from 'zod';
import type { Provider } from './provider.ts';
import type { SandboxKind } from './sandbox.ts';
import type { Tool } from './tool.ts';

/** What hooks are told, by event. */
export interface HookPayloads {
  'session.start': { readonly session: string; readonly platform: string };
  'session.end': { readonly session: string; readonly platform: string };
  /** `text`: the newest message that the model is to answer. */
  'model.before': { readonly session: string; readonly model: string; readonly text: string };
  'model.after': {
    readonly session: string;
    readonly model: string;
    readonly status: 'done' | 'failed' | 'aborted';
    readonly text: string;
  };
  'tool.before': {
    readonly session: string;
    readonly call: string;
    readonly tool: string;
    readonly input: unknown;
  };
  'tool.after': {
    readonly session: string;
    readonly call: string;
    readonly tool: string;
    readonly input: unknown;
    readonly text: string;
    readonly isError: boolean;
  };
  'delegation.before': { readonly session: string; readonly task: string };
  'delegation.after': {
    readonly session: string;
    readonly task: string;
    readonly status: 'done' | 'failed' | 'aborted';
    readonly text: string;
  };
}

export type HookEvent = keyof HookPayloads;

/**
 * What the answer to an event may do: keep it from happening, or put something else in the place of one field. Nothing
 * that a hook says allows anything: the gate judges after `tool.before`, and it judges the input that has been replaced.
 */
export const HOOK_RULES = {
  'session.start': { veto: true },
  'session.end': { veto: false },
  'model.before': { veto: true },
  'model.after': { veto: false },
  'tool.before': { veto: true, replaces: 'input' },
  'tool.after': { veto: false, replaces: 'text' },
  'delegation.before': { veto: true, replaces: 'task' },
  'delegation.after': { veto: false },
} as const satisfies {
  readonly [E in HookEvent]: { readonly veto: boolean; readonly replaces?: keyof HookPayloads[E] };
};

/** What a hook may answer; nothing means that it has no objection. */
export interface HookReply {
  readonly veto?: string;
  readonly replace?: unknown;
}

/** A hook in the code of a plugin: a named export of its main file. The payload is a copy. */
export type HookFunction = (
  event: { readonly event: HookEvent; readonly payload: HookPayloads[HookEvent] },
  options: { readonly signal: AbortSignal },
) => Promise<HookReply | undefined> | HookReply | undefined;

export interface HookOutcome<E extends HookEvent> {
  readonly veto?: { readonly plugin: string; readonly reason: string };
  readonly payload: HookPayloads[E];
}

/** Runs the hooks of an event one after the other. It never rejects: a hook that fails is left out. */
export type RunHooks = <E extends HookEvent>(
  event: E,
  payload: HookPayloads[E],
  signal: AbortSignal,
) => Promise<HookOutcome<E>>;

/** A slash command of a plugin. It sees no more of the conversation than its id. */
export interface PluginCommand {
  readonly name: string;
  readonly summary: string;
  readonly usage?: string;
  run(
    args: string,
    context: { readonly session: string; readonly signal: AbortSignal },
  ): Promise<{ readonly text: string }>;
}

/** What the main file of a plugin gets, so that it has to find nothing by itself. */
export interface PluginApi {
  readonly z: typeof z;
  defineTool<Input>(tool: Tool<Input>): Tool;
  defineProvider(provider: Provider): Provider;
  defineSandbox<Options>(kind: SandboxKind<Options>): SandboxKind;
  defineCommand(command: PluginCommand): PluginCommand;
}

/** What it gives back. Everything in it has to be named under `provides` in its manifest. */
export interface PluginParts {
  readonly tools?: readonly Tool[];
  readonly providers?: readonly Provider[];
  readonly sandboxes?: readonly SandboxKind[];
  readonly commands?: readonly PluginCommand[];
}

/** The default export of a plugin's main file. */
export type PluginMain = (api: PluginApi) => PluginParts | Promise<PluginParts>;
