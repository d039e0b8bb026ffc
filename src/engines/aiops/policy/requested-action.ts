import { tell, type Text } from '#kit/text';
import type { GovernanceRule, ProposedAction } from '#spec/data';
import { actionOf } from './action.ts';
import { applyRules, type RuleCircumstances } from './rules/apply-rules.ts';

const REASON = tell('asked for by name, outside of an incident', '在事故之外点名要求');

/** An action that somebody asks for by name, and why the rules of the house would not have it. */
export function requestedAction(
  asked: Pick<ProposedAction, 'operation' | 'service' | 'params'>,
  rules: readonly GovernanceRule[],
  circumstances: RuleCircumstances,
): { readonly action: ProposedAction; readonly ruledOut?: Text } {
  const action = actionOf({ ...asked, reason: REASON }, ['asked'], []);
  const ruled = applyRules(action, rules, circumstances);
  const [why = REASON] = ruled.why;
  return ruled.action.operation === asked.operation
    ? { action: { ...ruled.action, id: action.id } }
    : { action, ruledOut: why };
}
