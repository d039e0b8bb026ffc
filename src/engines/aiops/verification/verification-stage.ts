import type { Incident, ProposedAction, Recovery } from '#spec/data';
import { definitionOf, paramOf } from '#spec/data/operations';
import { executorFor } from '../approval/rehearse-action.ts';
import { collectEvidence } from '../evidence/collect-evidence.ts';
import { orderKey } from '../execution/execution-stage.ts';
import { type IncidentDeps, mustFind, type Occasion } from '../incident-deps.ts';
import { notes } from '../notes.ts';
import type { DeployTarget } from './event-checks.ts';
import { judgeRecovery } from './judge-recovery.ts';
import { words } from './words.ts';

/** How much before the end of the action is read along: a rate needs samples on both sides. */
const BEFORE_MS = 60_000;

/** One look at fresh evidence: is it over? */
export async function verificationStage(
  id: string,
  deps: IncidentDeps,
  { key, round, signal }: Occasion,
): Promise<Recovery> {
  const { store, archive, settings, now } = deps;
  const incident = await mustFind(store, id);
  const { action, execution } = incident;
  const during = (await archive.load(id, round))?.telemetry;
  if (!action || !execution || !during) throw new Error(`${id} has nothing to verify`);
  const { telemetry, asked } = await collectEvidence({
    incident: { ...incident, startsAt: new Date(execution.endedAt).toISOString() },
    sources: await deps.sources(),
    alerts: [],
    topology: during.topology ?? { edges: [] },
    windows: { baselineMs: BEFORE_MS, leadMs: 0 },
    limits: { wholeMs: settings.collectMs },
    now,
    signal,
  });
  const logsAnswered = asked.some(({ kind, problem }) => kind === 'logs' && problem === undefined);
  const target = await targetOf(incident, deps, signal);
  const at = now();
  const recovery = judgeRecovery({
    action,
    execution,
    during,
    after: telemetry,
    logsAnswered,
    ...(target ? { target } : {}),
    at,
  });
  const good = recovery.status === 'recovered';
  await store.record(
    id,
    {
      key,
      facts: good ? [{ type: 'recovery.verified', data: { recovery } }] : [],
      patch: { recovery, state: 'verifying' },
    },
    at,
  );
  return recovery;
}

/** Whether what was set is still set, as the target itself says. */
async function targetOf(
  incident: Incident,
  deps: IncidentDeps,
  signal: AbortSignal,
): Promise<DeployTarget | undefined> {
  const { action, rehearsal } = incident;
  const executor = action && executorFor(await deps.executors(), action);
  if (!executor || !rehearsal) return undefined;
  const { found } = await executor.reconcile(action, orderKey(incident), rehearsal.state, signal);
  const { reaches } = definitionOf(action.operation).verify;
  const reached = reaches === undefined ? undefined : paramOf(action, reaches);
  const wanted = String(reached ?? action.operation);
  if (found === 'unknown') return { wanted, found: undefined };
  return { wanted, found: found === 'done' ? wanted : (beforeOf(action) ?? words.before) };
}

const beforeOf = ({ params: { from } }: ProposedAction): string | undefined =>
  from === undefined ? undefined : String(from);

/** The action was carried out and did not help: it is not proposed again, and the next round looks anew. */
export async function recoveryFailed(id: string, deps: IncidentDeps, { key }: Occasion): Promise<void> {
  const { store, now } = deps;
  const { recovery, action, tried = [] } = await mustFind(store, id);
  if (!recovery) return;
  await store.record(
    id,
    {
      key,
      facts: [{ type: 'recovery.failed', data: { recovery } }],
      patch: {
        state: 'investigating',
        note: notes.didNotHelp,
        tried: [...tried, ...(action ? [action] : [])],
      },
    },
    now(),
  );
}
