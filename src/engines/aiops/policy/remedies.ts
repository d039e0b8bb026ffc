import type { Text } from '#kit/text';
import type { CauseCategory, Hypothesis } from '#spec/data';
import type { Draft } from './action.ts';
import { callerOf, placeOf, type PolicyCase } from './case.ts';
import { measuredEvidence } from './measured-evidence.ts';
import { undoChange } from './undo-change.ts';
import { raiseLimit, scaleOut } from './sized-remedies.ts';
import { words } from './words.ts';

/** What can be done about a hypothesis, the best first, and what a person should know. */
export interface Remedies {
  readonly drafts: readonly Draft[];
  readonly why: readonly Text[];
}

type Remedy = (where: string, hypothesis: Hypothesis, policyCase: PolicyCase) => Remedies;

/** Without anything to do but to look, and with what a person should do. */
export function observeDraft(
  where: string,
  { category, place }: Pick<Hypothesis, 'category' | 'place'>,
): Draft {
  const reason = place === 'machine' ? words.machine(where) : words.advice[category](where);
  return { operation: 'observe', service: where, params: {}, reason };
}

const onlyObserve: Remedy = (where, hypothesis) => ({
  drafts: [observeDraft(where, hypothesis)],
  why: [],
});

const undo: Remedy = (where, hypothesis, policyCase) => {
  const undone = undoChange(hypothesis, policyCase);
  if (undone && 'draft' in undone) return { drafts: [undone.draft], why: [] };
  return {
    drafts: [observeDraft(where, hypothesis)],
    why: undone ? [undone.why] : [],
  };
};

const restart: Remedy = (where, hypothesis) => ({
  drafts: [
    {
      operation: 'restart_deployment',
      service: where,
      params: {},
      reason: words.restart(where, hypothesis.why),
    },
  ],
  why: [],
});

/** Without a change to undo, a full pool may be freed by a restart; which hides who held it. */
const undoOrRestart: Remedy = (where, hypothesis, policyCase) => {
  const undone = undo(where, hypothesis, policyCase);
  return { ...undone, drafts: [...undone.drafts, ...restart(where, hypothesis, policyCase).drafts] };
};

/** The culprit is left out by the one who suffers from it. */
const degrade: Remedy = (where, hypothesis, policyCase) => {
  const { rca, topology } = policyCase;
  const suffering = measuredEvidence(rca).find(
    ({ service, callee, baseline, during }) => service === where && callee !== undefined && during > baseline,
  );
  const calledByOthers = topology?.edges.some(({ to }) => to === where) ?? false;
  // Where only the one who waits is known, the call that it waits for names the culprit.
  const culprit = !calledByOthers && suffering?.callee !== undefined ? suffering.callee : where;
  const isOutside = rca.hypotheses.some(({ service, place }) => service === culprit && place !== undefined);
  if (isOutside) return onlyObserve(where, hypothesis, policyCase);
  const caller = culprit === where ? callerOf(culprit, policyCase) : where;
  if (caller === undefined) {
    const observed = onlyObserve(where, hypothesis, policyCase);
    return { ...observed, why: [words.dependencyUnknown(culprit)] };
  }
  const reason = words.degrade(caller, culprit);
  return {
    drafts: [{ operation: 'degrade_dependency', service: caller, params: { dependency: culprit }, reason }],
    why: [],
  };
};

const flush: Remedy = (where) => ({
  drafts: [{ operation: 'flush_cache', service: where, params: {}, reason: words.flush(where) }],
  why: [],
});

const STORE_NAME =
  /(?:^|[-_.])(?:db|database|mysql|mariadb|postgres(?:ql)?|pg|mongo(?:db)?|oracle|sql)(?:[-_.]|$)/i;

/** A database by name is failed over by the service that uses it; a service fails over its own. */
const failover: Remedy = (where, _, policyCase) => {
  const { state } = policyCase;
  const user = STORE_NAME.test(where) ? callerOf(where, policyCase) : undefined;
  const service = user ?? where;
  const dependency = user === undefined ? 'database' : where;
  const from = state[service]?.active ?? 'primary';
  const to = from === 'primary' ? 'replica' : 'primary';
  const reason = words.failover(service, dependency);
  return {
    drafts: [{ operation: 'failover_dependency', service, params: { dependency, from, to }, reason }],
    why: [],
  };
};

const REMEDIES: Readonly<Record<CauseCategory, Remedy>> = {
  deploy_regression: undo,
  connection_pool: undoOrRestart,
  bad_config: undo,
  dependency_timeout: degrade,
  rate_limit: (where, _, policyCase) => ({ drafts: [raiseLimit(where, policyCase)], why: [] }),
  hot_key: flush,
  database_latency: failover,
  resource_exhaustion: restart,
  crash_loop: restart,
  traffic_surge: (where, hypothesis, policyCase) => {
    const scaled = scaleOut(where, policyCase);
    const observed = observeDraft(where, hypothesis);
    return { drafts: scaled ? [scaled, observed] : [observed], why: [] };
  },
  network_delay: onlyObserve,
  certificate: onlyObserve,
  disk: onlyObserve,
  external: onlyObserve,
  service_fault: onlyObserve,
  none: onlyObserve,
};

export function remediesOf(hypothesis: Hypothesis, policyCase: PolicyCase): Remedies {
  const where = placeOf(hypothesis, policyCase);
  if (where === undefined) return { drafts: [], why: [words.noService] };
  const remedy = hypothesis.place === undefined ? REMEDIES[hypothesis.category] : onlyObserve;
  return remedy(where, hypothesis, policyCase);
}
