import { isUrgent, operationsIn, parseRule, soundsLikeRule, whyNoRule } from '#engines/aiops';
import { routeMessage } from '#engines/memory';
import { type Language, languageOf } from '#kit/language';
import type { OperatorPlan } from '#spec/ports';
import { forgetPlan, forgetWish } from './forget-plan.ts';
import { keptPlan, notePlan, ruleCall } from './memory-answers.ts';
import { asks, delegatesApproval, forbids, orders, wantsTo } from './mood.ts';
import type { OperatorHome } from './operator-home.ts';
import { publishText } from './publish-plan.ts';
import { namedSkill } from './skill-answers.ts';
import { approvalsText, decisionText } from './stored-answers.ts';

const MOST_RULE = 600;

/** Something to remember in one part of a message, and something else before or behind it. */
export function rememberedBeside(said: string): { readonly note: string; readonly rest: string } | undefined {
  const parts = said.split(BESIDE).filter((part) => part.trim() !== '');
  const at = parts.findIndex((part) => routeMessage(part).route === 'remember');
  if (at < 0) return undefined;
  // What is ordered or asked behind it is no part of what is to be kept.
  const next = parts.findIndex((part, place) => place > at && (orders(part) || asks(part)));
  const end = next < 0 ? parts.length : next;
  const rest = [...parts.slice(0, at), ...parts.slice(end)].join('，');
  const note = rest && routeMessage(parts.slice(at, end).join('，')).text;
  return note ? { note, rest } : undefined;
}

/** Between what is to be kept and what else is wanted. */
const BESIDE =
  /[,，;；。]\s*(?:and\s+|then\s+|also\s+)*|\.\s+|\s+and\s+(?:then\s+|also\s+)?(?=(?:remember|note|show|tell|list|give|check|what|how|which|who|where|is|are)\b)|顺便|然后|再(?=看|查|告诉|列|给)/i;

/** `approve approval_7f3a2 CONFIRM_EXECUTE`: the words of an approval in a channel. */
const DECIDED =
  /^(?:please\s+)?(?:approve|accept|reject|deny|批准|同意|通过|拒绝|驳回)\s*(?<id>(?=[\w-]*[\d_])[\w-]{4,})(?:\s+CONFIRM_EXECUTE)?[.!。]?$/i;

/** Sentences whose first words say what they are: remember, forget, prefer, publish; and a skill that is called by its name. */
export async function toldPlainly(
  home: OperatorHome,
  said: string,
  language: Language,
): Promise<OperatorPlan | undefined> {
  const decided = DECIDED.exec(said)?.groups?.['id'];
  if (decided) return { before: await decisionText(home, decided, language) };
  if (delegatesApproval(said)) return { before: await approvalsText(home, true, language) };
  const { route, text } = routeMessage(said);
  if (route === 'publish_skill') return { before: await publishText(home, language) };
  if (route === 'remember' && text) return (await ruleCall(home, text)) ?? notePlan(said, text, language);
  if (route === 'preference' && text && !wantsTo(said) && !asks(said))
    return (
      (await toldRule(home, said)) ?? keptPlan({ action: 'add', target: 'user', content: text }, language)
    );
  const forgotten = /[?？]\s*$|^how\b|怎么|如何/i.test(said) ? undefined : forgetWish(said);
  if (forgotten !== undefined) return forgetPlan(forgotten, language);
  return (await toldRule(home, said)) ?? namedSkill(home, said, language);
}

/** A rule that is said plainly, without being asked to remember it; no question, and no cry for help. */
async function toldRule(home: OperatorHome, said: string): Promise<OperatorPlan | undefined> {
  if (said.length > MOST_RULE || asks(said)) return undefined;
  const conditional = /^(?:when|if|whenever|during|while)\b|时,|时优先|的时候|高峰/i.test(said);
  const sounds = soundsLikeRule(said) || parseRule(said, 'told')?.effect === 'prefer';
  const read = sounds && parseRule(said, 'told') && (conditional || !isUrgent(said));
  if (read) return ruleCall(home, said);
  // What is forbidden on some days is no rule yet: it is kept, and said why.
  const onDays = sounds && forbids(said) && operationsIn(said).length > 0 && whyNoRule(said) === 'days';
  return onDays && !isUrgent(said) ? notePlan(said, said, languageOf(said)) : undefined;
}
