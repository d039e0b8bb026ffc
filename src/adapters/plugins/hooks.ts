import {
  HOOK_RULES,
  type HookEvent,
  type HookOutcome,
  type HookPayloads,
  type RunHooks,
  type HookReply,
} from '#spec/ports';
import { z } from 'zod';

/** One hook, ready to be called. */
export interface Hook {
  readonly plugin: string;
  readonly event: HookEvent;
  /** The command or the export, for people. */
  readonly label: string;
  readonly timeoutMs: number;
  /** A failure of it counts as an objection, and it is never switched off. */
  readonly required?: boolean;
  run(told: { readonly event: HookEvent; readonly payload: unknown }, signal: AbortSignal): Promise<unknown>;
}

export interface HookTrouble {
  readonly plugin: string;
  readonly hook: string;
  readonly event: HookEvent;
  readonly message: string;
  /** It is not called any more until Hermes starts again. */
  readonly off: boolean;
}

const FAILURES_TO_OFF = 3;

/**
 * Hooks in their order. One that throws, hangs or answers nonsense is left out of that event and reported at its first
 * failure; after three in a row it is not called any more, which is reported too.
 */
export function hookRunner(hooks: readonly Hook[], report: (trouble: HookTrouble) => void): RunHooks {
  const failures = new Map<Hook, number>();

  const isOff = (hook: Hook): boolean => !hook.required && (failures.get(hook) ?? 0) >= FAILURES_TO_OFF;
  const note = (hook: Hook, error: unknown): void => {
    const before = failures.get(hook) ?? 0;
    failures.set(hook, before + 1);
    const off = !hook.required && before + 1 >= FAILURES_TO_OFF;
    if (before > 0 && !off) return;
    const message = error instanceof Error ? error.message : String(error);
    report({ plugin: hook.plugin, hook: hook.label, event: hook.event, message, off });
  };

  return async <E extends HookEvent>(
    event: E,
    payload: HookPayloads[E],
    signal: AbortSignal,
  ): Promise<HookOutcome<E>> => {
    let current = payload;
    for (const hook of hooks) {
      if (hook.event !== event || isOff(hook)) continue;
      if (signal.aborted) break;
      try {
        const reply = readReply(event, await call(hook, current, signal));
        failures.set(hook, 0);
        if (reply.veto !== undefined)
          return { veto: { plugin: hook.plugin, reason: reply.veto }, payload: current };
        if (reply.replace !== undefined) current = replaced(event, current, reply.replace);
      } catch (error) {
        // Told to stop together with the turn, it did not fail.
        if (signal.aborted) break;
        note(hook, error);
        if (hook.required && HOOK_RULES[event].veto) {
          const reason = 'a hook that has to look at it failed';
          return { veto: { plugin: hook.plugin, reason }, payload: current };
        }
      }
    }
    return { payload: current };
  };
}

function replaced<E extends HookEvent>(event: E, payload: HookPayloads[E], value: unknown): HookPayloads[E] {
  const rule: { readonly veto: boolean; readonly replaces?: string } = HOOK_RULES[event];
  return rule.replaces === undefined ? payload : { ...payload, [rule.replaces]: value };
}

/** What a hook is told is a copy: it changes things by its answer alone. */
async function call(hook: Hook, payload: unknown, outer: AbortSignal): Promise<unknown> {
  const told = JSON.parse(JSON.stringify({ event: hook.event, payload })) as Parameters<Hook['run']>[0];
  const over = new AbortController();
  const signal = AbortSignal.any([outer, over.signal]);
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  const timer = setTimeout(
    () => over.abort(new Error(`it did not answer within ${hook.timeoutMs / 1000} s`)),
    hook.timeoutMs,
  );
  try {
    return await Promise.race([hook.run(told, signal), late]);
  } finally {
    clearTimeout(timer);
  }
}

const Reply = z.union([
  z.strictObject({ veto: z.string().trim().min(1).max(2_000) }),
  z.strictObject({ replace: z.unknown() }).refine((reply) => reply.replace !== undefined),
  z.strictObject({}),
]);

const MOST_TEXT_CHARS = 1_000_000;

/** What a hook answered, if that may be answered to its event. Throws for anything else. */
function readReply(event: HookEvent, answer: unknown): HookReply {
  if (answer === undefined || answer === null) return {};
  const read = Reply.safeParse(answer);
  if (!read.success) throw new Error('the answer is neither {"veto": "reason"} nor {"replace": …}');
  const reply: HookReply = read.data;
  const rule: { readonly veto: boolean; readonly replaces?: string } = HOOK_RULES[event];
  if (reply.veto !== undefined && !rule.veto) throw new Error(`${event} cannot be vetoed`);
  if (reply.replace === undefined) return reply;
  if (rule.replaces === undefined) throw new Error(`${event} has nothing that could be replaced`);
  const text = rule.replaces !== 'input';
  if (text && (typeof reply.replace !== 'string' || reply.replace.length > MOST_TEXT_CHARS)) {
    throw new Error(`what replaces ${rule.replaces} has to be a text`);
  }
  return reply;
}
