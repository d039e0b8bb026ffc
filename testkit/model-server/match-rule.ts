import type { FaultSpec } from './fault-spec.ts';
import { createFaultPlan } from './faults.ts';
import type { Reply, Rule, Script, When } from './script.ts';
import type { NormalMessage, NormalRequest } from './wire-protocol.ts';

/** What the script says to a request. */
export interface Match {
  /** Which rule it was; absent for the fallback. */
  readonly rule?: number;
  readonly reply: Reply;
}

export interface Matcher {
  match(request: NormalRequest): Match;
  /** The matched rule's own fault, if it strikes a request with this key, and one use of it. */
  strike(match: Match, key: string | undefined): FaultSpec | undefined;
  /** A match was acted on; `answered` when the reply went out whole, so that the next one is due. */
  use(match: Match, answered: boolean): void;
}

/** The text that rules look at: the last thing a person said, also in the middle of a tool loop. */
function lastUserText(request: NormalRequest): string {
  return request.messages.findLast((message) => message.role === 'user' && message.text !== '')?.text ?? '';
}

/** The tool results a request ends with: all that answer the same assistant message. */
function endingResults(messages: readonly NormalMessage[]): readonly NormalMessage[] {
  return messages.slice(messages.findLastIndex((message) => message.role !== 'tool') + 1);
}

/** Images since the user last spoke: older ones stay in every request, and are no news. */
function recentImages({ messages }: NormalRequest): number {
  const from = messages.findLastIndex((message) => message.role === 'user');
  return messages.slice(Math.max(0, from)).reduce((count, message) => count + message.images, 0);
}

function holds(when: When, request: NormalRequest): boolean {
  const text = lastUserText(request);
  const { messages } = request;
  const turn = messages.filter((message) => message.role === 'assistant').length;
  return (
    (when.contains === undefined || text.toLowerCase().includes(when.contains.toLowerCase())) &&
    (when.matches === undefined || new RegExp(when.matches, 'iu').test(text)) &&
    (when.model === undefined || when.model === request.model) &&
    (when.protocol === undefined || when.protocol === request.protocol) &&
    (when.hasImage === undefined || when.hasImage === recentImages(request) > 0) &&
    (when.turn === undefined || when.turn === turn) &&
    (when.afterTool === undefined ||
      endingResults(messages).some((message) => message.toolName === when.afterTool))
  );
}

const ECHO_EN =
  'This is the scripted model server: no rule of its script matches, so it repeats what you said.\n\n> {{user}}';
const ECHO_ZH = '这是脚本化的模型服务器：没有规则匹配这条消息，所以它重复你说的话。\n\n> {{user}}';

const isChinese = (text: string): boolean => /\p{Script=Han}/u.test(text);

function fill(text: string, request: NormalRequest): string {
  const values: Record<string, string> = {
    user: lastUserText(request),
    model: request.model,
    images: String(recentImages(request)),
  };
  return text.replace(/\{\{(user|model|images)\}\}/g, (_, name: string) => values[name] ?? '');
}

function filled(reply: Reply, request: NormalRequest): Reply {
  return {
    ...reply,
    ...(reply.text === undefined ? {} : { text: fill(reply.text, request) }),
    ...(reply.thinking === undefined ? {} : { thinking: fill(reply.thinking, request) }),
  };
}

/** Finds the first rule that holds, and keeps count of what was used. */
export function createMatcher(script: Script): Matcher {
  const used = script.rules.map(() => 0);
  const answered = script.rules.map(() => 0);
  const faults = script.rules.map((rule) => createFaultPlan(rule.fault ? [rule.fault] : []));

  const replyOf = (rule: Rule, index: number): Reply | undefined =>
    Array.isArray(rule.reply)
      ? rule.reply[Math.min(answered[index] as number, rule.reply.length - 1)]
      : rule.reply;

  return {
    match(request) {
      const index = script.rules.findIndex(
        (rule, at) =>
          (rule.times === undefined || (used[at] as number) < rule.times) && holds(rule.when, request),
      );
      const rule = script.rules[index];
      const echo = { text: isChinese(lastUserText(request)) ? ECHO_ZH : ECHO_EN };
      const reply = filled((rule && replyOf(rule, index)) ?? script.fallback ?? echo, request);
      return rule ? { rule: index, reply } : { reply };
    },
    strike: ({ rule }, key) => (rule === undefined ? undefined : faults[rule]?.next(key)),
    use({ rule }, whole) {
      if (rule === undefined) return;
      used[rule] = (used[rule] as number) + 1;
      if (whole) answered[rule] = (answered[rule] as number) + 1;
    },
  };
}
