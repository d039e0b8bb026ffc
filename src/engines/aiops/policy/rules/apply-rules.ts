import type { GovernanceRule, Hypothesis, Operation, ProposedAction } from '#spec/data';
import { changesSomething, definitionOf } from '#spec/data/operations';
import { asText, catalogue, type Text } from '#kit/text';
import { actionId, type Draft } from '../action.ts';
import { riskOf, riskRank } from '../risk.ts';
import { isWithinHours } from './hours.ts';

/** Under what rules are looked at. */
export interface RuleCircumstances {
  readonly now: number;
  /** The zone of hours that name none. */
  readonly zone: string;
  /** What is thought of: a rule about a kind of fault applies when one that is likely enough is of that kind. */
  readonly hypotheses?: readonly Pick<Hypothesis, 'category' | 'confidence' | 'service'>[];
}

export interface RuledAction {
  readonly action: ProposedAction;
  /** What each rule did, in the words of whoever made it. */
  readonly why: readonly Text[];
}

const LIKELY = 0.2;

const words = catalogue({
  en: {
    forbidden: (text: string, operation: Operation) =>
      `${operation} is not proposed because of the rule: ${text}`,
    preferred: (text: string, from: Operation, to: Operation) =>
      `${to} instead of ${from}, as the rule says: ${text}`,
    tightened: (text: string) => `The rule holds: ${text}`,
    needsMore: (operation: Operation) => `a rule asks for ${operation} and does not say how: a person has to`,
    ignored: (text: string) => `A rule may only lower the risk, so this one is not followed: ${text}`,
  },
  zh: {
    forbidden: (text: string, operation: Operation) => `不提出 ${operation},依据规则:${text}`,
    preferred: (text: string, from: Operation, to: Operation) => `用 ${to} 代替 ${from},依据规则:${text}`,
    tightened: (text: string) => `适用规则:${text}`,
    needsMore: (operation: Operation) => `规则要求 ${operation},但没有说明具体参数:需要由人给出`,
    ignored: (text: string) => `规则只能降低风险,因此不采用:${text}`,
  },
});

/**
 * An action under the rules of the house. They only tighten: a demand is never taken away, `dryRunOnly` stays, and an
 * action is replaced only by one of the same or a lower risk. The order of the rules does not matter.
 */
export function applyRules(
  action: ProposedAction,
  rules: readonly GovernanceRule[],
  circumstances: RuleCircumstances,
): RuledAction {
  const ordered = rules.toSorted((one, other) => (one.id < other.id ? -1 : one.id > other.id ? 1 : 0));
  const why: Text[] = [];
  const replaced = replace(action, ordered, circumstances, why);
  const forbidding = ordered.find((rule) => rule.effect === 'forbid' && holds(rule, replaced, circumstances));
  if (forbidding && changesSomething(replaced.operation)) {
    const text = words.forbidden(forbidding.text, replaced.operation);
    const draft: Draft = { operation: 'observe', service: replaced.service, params: {}, reason: text };
    return { action: instead(replaced, draft, forbidding.id), why: [...why, text] };
  }
  let result = replaced;
  for (const rule of ordered) {
    if (!holds(rule, result, circumstances)) continue;
    const tightened = tighten(result, rule);
    if (!tightened) continue;
    result = tightened;
    why.push(words.tightened(rule.text));
  }
  return { action: result, why };
}

function replace(
  action: ProposedAction,
  rules: readonly GovernanceRule[],
  circumstances: RuleCircumstances,
  why: Text[],
): ProposedAction {
  if (!changesSomething(action.operation)) return action;
  let current = action;
  const been = new Set<Operation>([action.operation]);
  for (;;) {
    const from = current;
    const rule = rules.find(
      ({ effect, prefer }, index) =>
        effect === 'prefer' &&
        prefer !== undefined &&
        !been.has(prefer.operation) &&
        holds(rules[index] as GovernanceRule, from, circumstances),
    );
    if (!rule?.prefer) return current;
    been.add(rule.prefer.operation);
    if (riskRank(riskOf(rule.prefer.operation)) > riskRank(from.risk)) {
      why.push(words.ignored(rule.text));
      continue;
    }
    const text = words.preferred(rule.text, from.operation, rule.prefer.operation);
    current = instead(from, preferredDraft(from, rule.prefer, text, circumstances), rule.id);
    why.push(text);
  }
}

/** Whether it needs to be told more than a rule tells. */
const needsMore = (operation: Operation): boolean =>
  Object.values(definitionOf(operation).params).some(({ required }) => required);

/** To degrade a service means that whoever suffered from it does without it. */
function preferredDraft(
  action: ProposedAction,
  { operation, service }: NonNullable<GovernanceRule['prefer']>,
  reason: Text,
  { hypotheses = [] }: RuleCircumstances,
): Draft {
  if (definitionOf(operation).effect === 'drop_dependency') {
    const culprit = hypotheses.find(({ category }) => category === 'dependency_timeout')?.service;
    const dependency = service === action.service ? culprit : (service ?? culprit);
    if (dependency !== undefined && dependency !== action.service)
      return { operation, service: action.service, params: { dependency }, reason };
  }
  const draft = { operation, service: service ?? action.service, params: {}, reason };
  return needsMore(operation) ? { ...draft, dryRunOnly: words.needsMore(operation) } : draft;
}

function instead(action: ProposedAction, draft: Draft, rule: string): ProposedAction {
  const { operation, service, params, reason } = draft;
  const dryRunOnly = action.dryRunOnly ?? draft.dryRunOnly;
  return {
    ...action,
    ...(dryRunOnly === undefined ? {} : { dryRunOnly }),
    id: actionId([action.id], draft),
    operation,
    service,
    params,
    reason,
    risk: riskOf(operation),
    rules: withRule(action.rules, rule),
  };
}

const withRule = (rules: readonly string[], id: string): string[] => [...new Set([...rules, id])];

function tighten(action: ProposedAction, { effect, id, text }: GovernanceRule): ProposedAction | undefined {
  const rules = withRule(action.rules, id);
  if (!changesSomething(action.operation)) return undefined;
  if (effect === 'confirm_twice') return { ...action, confirmTwice: true, rules };
  if (effect === 'separate_approver') return { ...action, separateApprover: true, rules };
  if (effect === 'dry_run_only') return { ...action, dryRunOnly: action.dryRunOnly ?? asText(text), rules };
  return undefined;
}

/** Whatever a rule leaves open, and hours that cannot be read, count as fulfilled: in doubt it holds. */
function holds(
  rule: GovernanceRule,
  action: ProposedAction,
  { now, zone, hypotheses = [] }: RuleCircumstances,
): boolean {
  const { service, operation, category, risk, hours, outside = false } = rule;
  if (service !== undefined && service !== action.service && service !== action.params['dependency'])
    return false;
  if (operation !== undefined && operation !== action.operation) return false;
  if (risk !== undefined && riskRank(action.risk) < riskRank(risk)) return false;
  if (category !== undefined && !isThoughtOf(rule, hypotheses)) return false;
  const within = hours === undefined ? undefined : isWithinHours(hours, now, zone);
  return within === undefined || within !== outside;
}

/** A rule such as "when coupons time out, degrade instead of rolling back" is about the fault of what it degrades. */
function isThoughtOf(
  { category, prefer }: GovernanceRule,
  hypotheses: NonNullable<RuleCircumstances['hypotheses']>,
): boolean {
  return hypotheses.some(
    (hypothesis, index) =>
      hypothesis.category === category &&
      (index === 0 || hypothesis.confidence >= LIKELY) &&
      (prefer?.service === undefined ||
        hypothesis.service === undefined ||
        hypothesis.service === prefer.service),
  );
}
