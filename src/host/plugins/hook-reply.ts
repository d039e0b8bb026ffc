import { z } from 'zod';
import { HOOK_RULES, type HookEvent, type HookReply } from '#spec/ports';

const Reply = z.union([
  z.strictObject({ veto: z.string().trim().min(1).max(2_000) }),
  z.strictObject({ replace: z.unknown() }).refine((reply) => reply.replace !== undefined),
  z.strictObject({}),
]);

const MOST_TEXT_CHARS = 1_000_000;

/** What a hook answered, if that may be answered to its event. Throws for anything else. */
export function readReply(event: HookEvent, answer: unknown): HookReply {
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
