import { GRANT_CHANNEL } from '#engines/gate';
import type { Approval, Incident, ProposedAction, UnattendedGrant } from '#spec/data';
import type { Text } from '#kit/text';
import type { IncidentDeps } from '../incident-deps.ts';
import { notes } from '../notes.ts';
import { riskOf } from '../policy/risk.ts';

const DAY_MS = 86_400_000;
/** So many agreements are looked through for the uses of a day. Where that is not enough, somebody is asked. */
const MOST_AGREED = 2_000;
/** Nobody looks at it before it is done: nine in ten must be right. */
const SURE_FROM = 0.9;

interface Needs extends Pick<IncidentDeps, 'now' | 'grants'> {
  readonly settings: Pick<IncidentDeps['settings'], 'unattended' | 'execute' | 'confirmAlways'>;
  readonly gate: Pick<IncidentDeps['gate'], 'agreed'>;
  readonly store: Pick<IncidentDeps['store'], 'get'>;
}

export type Unattended =
  | { readonly grant: UnattendedGrant }
  /** A grant names it and does not hold now. */
  | { readonly grant: undefined; readonly why: Text };

/**
 * The grant by which an action is carried out without asking; undefined where no grant names it. It stops by itself: after so
 * many uses a day, after one that did not end in a verified recovery, and after whatever was tried for this incident.
 */
export async function unattendedGrant(
  incident: Incident,
  action: ProposedAction,
  { settings, gate, store, now, grants }: Needs,
): Promise<Unattended | undefined> {
  if (!settings.unattended || !settings.execute) return undefined;
  const grant = (await grants()).find(
    ({ service, operation }) => service === action.service && operation === action.operation,
  );
  if (!grant) return undefined;
  const not = (why: Text): Unattended => ({ grant: undefined, why: notes.notUnattended(grant.id, why) });
  const [first] = incident.rca?.hypotheses ?? [];
  if (riskOf(action.operation) !== 'safe_write') return not(notes.notLowRisk);
  if (action.confirmTwice || action.separateApprover || settings.confirmAlways) return not(notes.peopleAsked);
  if (incident.rca?.status !== 'concluded' || !first || first.confidence < SURE_FROM)
    return not(notes.notSure);
  if (incident.tried?.length) return not(notes.triedAlready);
  const agreed = await gate.agreed(MOST_AGREED);
  const since = now() - DAY_MS;
  if (agreed.length >= MOST_AGREED && (agreed.at(-1)?.createdAt ?? 0) > since) return not(notes.cannotCount);
  const uses = agreed.filter(
    (one) => one.createdAt > since && isUse(one, grant) && one.requester.session !== incident.id,
  );
  if (uses.length >= grant.per_day) return not(notes.oftenEnough(String(grant.per_day)));
  for (const { requester, id } of uses) {
    const earlier = await store.get(requester.session);
    if (earlier?.approval !== id || earlier.recovery?.status !== 'recovered')
      return not(notes.stopped(requester.session));
  }
  return { grant };
}

const isUse = ({ decidedBy }: Approval, { id }: UnattendedGrant): boolean =>
  decidedBy?.channel === GRANT_CHANNEL && decidedBy.user === id;
