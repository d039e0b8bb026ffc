import { createHash } from 'node:crypto';
import type { Operation, ProposedAction, Text } from '#spec/data';
import { riskOf } from './risk.ts';

export type ActionParams = ProposedAction['params'];

/** An action before rules and executors have had their say. */
export interface Draft {
  readonly operation: Operation;
  readonly service: string;
  readonly params: ActionParams;
  readonly reason: Text;
  /** Why it can only be rehearsed. */
  readonly dryRunOnly?: Text;
}

/** The same content has the same id, also after a crash. */
export function actionId(scope: readonly (string | number)[], draft: Draft): string {
  const params = Object.entries(draft.params).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const text = JSON.stringify([scope, draft.operation, draft.service, params]);
  return `act_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
}

export function actionOf(
  draft: Draft,
  scope: readonly (string | number)[],
  evidence: readonly string[],
): ProposedAction {
  const { operation, service, params, reason, dryRunOnly } = draft;
  return {
    id: actionId(scope, draft),
    operation,
    service,
    params,
    risk: riskOf(operation),
    reason,
    evidence: [...evidence],
    confirmTwice: false,
    separateApprover: false,
    ...(dryRunOnly === undefined ? {} : { dryRunOnly }),
    rules: [],
  };
}

/** Whether two would do the same thing. */
export function sameEffect(
  one: Pick<Draft, 'operation' | 'service' | 'params'>,
  other: Pick<Draft, 'operation' | 'service' | 'params'>,
): boolean {
  if (one.operation !== other.operation || one.service !== other.service) return false;
  const keys = new Set([...Object.keys(one.params), ...Object.keys(other.params)]);
  return [...keys].every((key) => one.params[key] === other.params[key]);
}
