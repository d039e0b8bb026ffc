import type {
  Change,
  GovernanceRule,
  Hypothesis,
  Incident,
  Operation,
  ProposedAction,
  Rca,
  ServiceProfile,
  ServiceState,
  Topology,
} from '#spec/data';
import { changesSomething } from '#spec/data/operations';
import type { Text } from '#kit/text';
import { actionOf, type Draft, sameEffect } from './action.ts';
import { placeOf, type PolicyCase } from './case.ts';
import { observeDraft, remediesOf } from './remedies.ts';
import { namedCause } from '../names.ts';
import { riskOf } from './risk.ts';
import { applyRules } from './rules/apply-rules.ts';
import { words } from './words.ts';

export interface ProposalInput {
  readonly incident: Pick<
    Incident,
    'id' | 'round' | 'service' | 'services' | 'action' | 'execution' | 'recovery'
  >;
  readonly rca: Rca;
  readonly changes: readonly Change[];
  readonly profile?: ServiceProfile;
  readonly topology?: Topology;
  /** How services run at present, by name. */
  readonly state?: Readonly<Record<string, ServiceState>>;
  readonly rules: readonly GovernanceRule[];
  /** What the executors can do. */
  readonly operations: readonly Operation[];
  /** What was done for this incident and did not help; by default what its record says. */
  readonly tried?: readonly ProposedAction[];
  /** Below this confidence nothing destructive is proposed. */
  readonly floor?: number;
  readonly now: number;
  readonly zone: string;
}

export type Proposal =
  | {
      readonly action: ProposedAction;
      readonly alternatives: readonly ProposedAction[];
      readonly why: readonly Text[];
    }
  | { readonly action: undefined; readonly why: readonly Text[] };

const FLOOR = 0.5;
const MOST_ALTERNATIVES = 3;
/** From here on a further hypothesis is worth an alternative. */
const OTHER_FROM = 0.2;

interface Candidate {
  readonly draft: Draft;
  readonly evidence: readonly string[];
  /** The evidence is sure enough, and a second reader made it less. */
  readonly doubted: boolean;
}

/**
 * What to do about an incident. Pure. It acts on the first hypothesis of a concluded root cause alone, undoes a change
 * only where that may be, and otherwise proposes to look, with what a person should do. Rules only tighten it.
 */
export function proposeAction(input: ProposalInput): Proposal {
  const policyCase = caseOf(input);
  const [first] = input.rca.hypotheses;
  const where = first ? placeOf(first, policyCase) : (input.incident.service ?? input.incident.services[0]);
  if (where === undefined) return { action: undefined, why: [words.noService] };
  const why: Text[] = [];
  const watch: Candidate = {
    draft: watchDraft(where, first, input.rca),
    evidence: cited(first, input.rca),
    doubted: false,
  };
  const { own, others, vain } = chosen(input, policyCase, why);
  // What a weaker hypothesis suggests comes first only after the remedy of the first one was tried in vain.
  const candidates = own.length || vain ? [...own, ...others, watch] : [watch, ...others];
  const [action, ...alternatives] = settled(candidates, input, why);
  if (!action) return { action: undefined, why };
  return { action, alternatives: alternatives.slice(0, MOST_ALTERNATIVES), why };
}

function caseOf({ incident, rca, changes, profile, topology, state = {} }: ProposalInput): PolicyCase {
  return { incident, rca, changes, profile, topology, state };
}

const cited = (hypothesis: Hypothesis | undefined, { evidence }: Rca): string[] =>
  (hypothesis?.supports ?? []).filter((id) => evidence.some((one) => one.id === id));

function watchDraft(where: string, first: Hypothesis | undefined, rca: Rca): Draft {
  if (first && rca.status !== 'inconclusive') return observeDraft(where, first);
  const reason = words.inconclusive(rca.nextQuery);
  return { operation: 'observe', service: where, params: {}, reason };
}

interface Chosen {
  /** Of the first hypothesis. */
  readonly own: readonly Candidate[];
  /** Of further ones. */
  readonly others: readonly Candidate[];
  /** A remedy of the first was done before and did not help. */
  readonly vain: boolean;
}

/** Remedies of hypotheses, without what is not sure enough or was tried in vain. */
function chosen(input: ProposalInput, policyCase: PolicyCase, why: Text[]): Chosen {
  const { rca, floor = FLOOR } = input;
  const none: Chosen = { own: [], others: [], vain: false };
  const [first, ...further] = rca.hypotheses;
  if (rca.status !== 'concluded' || !first) {
    if (rca.status === 'inconclusive') why.push(words.inconclusive(rca.nextQuery));
    return none;
  }
  why.push(words.cause(namedCause(first.category), placeOf(first, policyCase) ?? '?', first.confidence));
  if (!cited(first, rca).length) {
    why.push(words.noEvidence);
    return none;
  }
  const tried = triedInVain(input);
  const wasTried = (draft: Draft): boolean => tried.some((action) => sameEffect(action, draft));
  const leastFor = (draft: Draft, least: number): number =>
    riskOf(draft.operation) === 'destructive' ? Math.max(floor, least) : least;
  const candidates = (hypothesis: Hypothesis, drafts: readonly Draft[], least = 0): Candidate[] => {
    const evidence = cited(hypothesis, rca);
    return drafts
      .filter(
        (draft) => evidence.length > 0 && evident(hypothesis) >= leastFor(draft, least) && !wasTried(draft),
      )
      .map((draft) => ({
        draft,
        evidence,
        doubted: hypothesis.undo === false || acting(hypothesis) < leastFor(draft, least),
      }));
  };
  const { drafts, why: notes } = remediesOf(unblocked(first), policyCase);
  why.push(...notes);
  for (const draft of drafts) {
    if (wasTried(draft)) why.push(words.triedBefore(draft.operation, draft.service));
    else if (acting(first) < leastFor(draft, 0))
      why.push(words.unsure(draft.operation, acting(first), floor));
  }
  const byReader = first.unread !== undefined && further.some((other) => evident(other) >= evident(first));
  if (byReader) why.push(words.firstByReader);
  const own = byReader ? [] : candidates(first, drafts);
  const others = (byReader ? rca.hypotheses : further)
    .toSorted((one, other) => evident(other) - evident(one))
    .filter((hypothesis) => evident(hypothesis) >= OTHER_FROM)
    .flatMap((hypothesis) =>
      candidates(hypothesis, remediesOf(unblocked(hypothesis), policyCase).drafts, OTHER_FROM),
    )
    .filter(({ draft }) => changesSomething(draft.operation));
  // Where a reader takes an action away, none steps into its place.
  const kept = [...own, ...others].findIndex(({ doubted }) => doubted);
  const until = kept < 0 ? own.length + others.length : kept;
  return {
    own: own.slice(0, until),
    others: others.slice(0, Math.max(0, until - own.length)),
    vain: !byReader && drafts.some(wasTried),
  };
}

/** What the evidence alone would undo, where a second reader blocked it. */
const unblocked = (hypothesis: Hypothesis): Hypothesis =>
  hypothesis.undo === false ? { ...hypothesis, undo: true } : hypothesis;
/** How sure the evidence is, without the word of a second reader. */
const evident = ({ confidence, unread = confidence }: Hypothesis): number => unread;
/** A second reader may take an action away, and brings none about. */
const acting = (hypothesis: Hypothesis): number => Math.min(hypothesis.confidence, evident(hypothesis));

/** A fix that did not hold is not proposed again. */
function triedInVain({ incident, tried }: ProposalInput): readonly ProposedAction[] {
  if (tried) return tried;
  const { action, execution, recovery } = incident;
  return action && execution?.status === 'done' && recovery?.status === 'not_recovered' ? [action] : [];
}

/** Under the rules and with what the executors can do; each effect once. */
function settled(
  candidates: readonly Candidate[],
  { incident, rca, rules, operations, profile, now, zone }: ProposalInput,
  why: Text[],
): ProposedAction[] {
  const all = [...rules, ...(profile?.rules ?? [])];
  const actions: ProposedAction[] = [];
  for (const [index, { draft, evidence }] of candidates.entries()) {
    const proposed = actionOf(draft, [incident.id, incident.round], evidence);
    const ruled = applyRules(proposed, all, { now, zone, hypotheses: rca.hypotheses });
    if (index === 0) why.push(...ruled.why);
    const can = !changesSomething(ruled.action.operation) || operations.includes(ruled.action.operation);
    const action: ProposedAction =
      can || ruled.action.dryRunOnly !== undefined
        ? ruled.action
        : { ...ruled.action, dryRunOnly: words.noExecutor(ruled.action.operation) };
    if (index === 0 && !can) why.push(words.noExecutor(ruled.action.operation));
    if (!actions.some((known) => sameEffect(known, action) || isObserveTwice(known, action)))
      actions.push(action);
  }
  return actions;
}

const isObserveTwice = (one: ProposedAction, other: ProposedAction): boolean =>
  one.operation === 'observe' && other.operation === 'observe';
