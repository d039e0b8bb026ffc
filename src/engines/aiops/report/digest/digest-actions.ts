import type { DoneAction, FailedAction, IncidentFact, Operation, ProposedAction, Recovery } from '#spec/data';
import type { IncidentHistory } from '#spec/ports';

interface Attempt extends FailedAction {
  readonly done: boolean;
}

export function countActions(
  histories: readonly IncidentHistory[],
  within: (at: string) => boolean,
): { readonly done: readonly DoneAction[]; readonly notRecovered: readonly FailedAction[] } {
  const attempts = histories.flatMap(attemptsOf).filter(({ at }) => within(at));
  const done = Map.groupBy(
    attempts.filter((attempt) => attempt.done),
    ({ operation }) => operation,
  );
  return {
    done: [...done]
      .flatMap(([operation, all]) => (operation === undefined ? [] : [outcomeOf(operation, all)]))
      .toSorted((one, other) => other.incidents.length - one.incidents.length),
    notRecovered: attempts
      .filter(({ status }) => status !== 'recovered')
      .map(({ incident, operation, service, status, at }) => ({ incident, operation, service, status, at })),
  };
}

function outcomeOf(operation: Operation, all: readonly Attempt[]): DoneAction {
  const as = (status: FailedAction['status']) =>
    all.filter((attempt) => attempt.status === status).map(({ incident }) => incident);
  return {
    operation,
    incidents: all.map(({ incident }) => incident),
    recovered: as('recovered'),
    notRecovered: as('not_recovered'),
  };
}

/** Everything that was tried in one incident, with the verification that followed. */
function attemptsOf({ incident, facts }: IncidentHistory): Attempt[] {
  const proposed = new Map<string, ProposedAction>();
  const attempts: Attempt[] = [];
  for (const [index, fact] of facts.entries()) {
    if (fact.type === 'action.proposed') proposed.set(fact.data.action.id, fact.data.action);
    if (fact.type !== 'execution.finished') continue;
    const { key, status } = fact.data.execution;
    const action = proposed.get(key.slice(incident.id.length + 1)) ?? [...proposed.values()].at(-1);
    attempts.push({
      incident: incident.id,
      operation: action?.operation,
      service: action?.service,
      done: status === 'done',
      status: status === 'done' ? verdictAfter(facts.slice(index + 1)) : status,
      at: fact.at,
    });
  }
  return attempts;
}

/** `uncertain` as long as nobody has said anything. */
function verdictAfter(facts: readonly IncidentFact[]): Recovery['status'] {
  for (const fact of facts) {
    if (fact.type === 'recovery.verified' || fact.type === 'recovery.failed')
      return fact.data.recovery.status;
    if (fact.type === 'execution.finished') return 'uncertain';
  }
  return 'uncertain';
}
