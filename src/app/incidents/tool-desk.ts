import {
  checkpointDigest,
  collectEvidence,
  executorFor,
  type IncidentDesk,
  judgeRecovery,
  reachVerdict,
} from '#engines/aiops';
import { tell } from '#kit/text';
import { fail } from '#kit/app-error';
import { sleep } from '#kit/sleep';
import { type Incident, OPEN_STATES, type ProposedAction } from '#spec/data';
import { localAudience } from '../terminal/find-session.ts';
import type { Dependencies } from '../dependencies.ts';
import { manualAlert } from './manual-alert.ts';
import type { HomeIncidents } from './home-incidents.ts';
import { watched, withoutIncident } from './without-incident.ts';

type Needs = Pick<Dependencies, 'database' | 'gate' | 'incidentFile' | 'incidents' | 'memory' | 'settings'>;

const MINUTE_MS = 60_000;

/** What the agent's tools may ask of the incidents of a home. Nothing here changes the world: the flow does. */
export function toolDesk(deps: Needs): IncidentDesk {
  const incidents = () => deps.incidents();
  const outside = withoutIncident(deps);
  const limits = { wholeMs: deps.settings.incidents.collect_seconds * 1_000 };
  const find: IncidentDesk['find'] = async ({ incident, service }) => {
    const { store } = await incidents();
    if (incident !== undefined) return store.get(incident);
    const [newest] = await store.list({ states: OPEN_STATES, ...(service ? { service } : {}), limit: 1 });
    return newest;
  };
  return {
    sources: async () => (await incidents()).backends.sources,
    find,
    list: async (filter) => (await incidents()).store.list(filter),
    report: async ({ text, service, severity, labels = {} }, { source, user }, signal) => {
      // Whoever tells of it waits for the verdict: it is worked on here, unless a server does.
      const running = await deps.incidents({ run: true });
      const told = { title: text, service, severity, labels };
      const alert = manualAlert(source, told, Date.now());
      const by = source === localAudience().source ? user : user && `${source}:${user}`;
      const [made] = await running.take({
        source,
        alerts: [alert],
        told: 'told',
        ...(by ? { by } : {}),
      });
      if (made?.incident === undefined)
        return { outcome: made?.outcome ?? 'suppressed', ...(made?.why ? { why: made.why } : {}) };
      return { outcome: made.outcome, incident: await lookedAt(running, made.incident, signal) };
    },
    diagnose: async (about, signal) => {
      const known = await find({ service: about.service });
      const { telemetry, asked, gaps } = await outside.look(about, known, signal);
      const { rca } = reachVerdict(telemetry, asked);
      return { rca, gaps, ...(known ? { incident: known.id } : {}) };
    },
    propose: async (about, signal) => {
      if (!('incident' in about)) return outside.propose(about, signal);
      const { id, action, note, approval, checkpoint, rca } = about.incident;
      return {
        incident: id,
        ...(rca ? { rca } : {}),
        why: note ?? action?.reason ?? tell('nothing is proposed', '没有提出动作'),
        ...(action ? { action } : {}),
        ...(approval ? { approval } : {}),
        ...(checkpoint ? { checkpoint: checkpoint.id } : {}),
      };
    },
    requestAction: async (request, signal) => {
      const found = await find(request);
      if (!found) {
        if (request.incident !== undefined) throw unknown();
        return outside.request(request, signal);
      }
      const { backends } = await incidents();
      const { action, checkpoint } = found;
      const executor = action && executorFor(backends.executors, action);
      const same = action !== undefined && isSame(action, request);
      const approval = request.approval ? await approvalOf(deps, request.approval) : undefined;
      const rehearsal = same && executor ? await executor.rehearse(action, signal) : undefined;
      const gates = [
        { name: 'the action of the incident', ok: same },
        { name: 'executor', ok: executor !== undefined },
        { name: 'allow-list', ok: rehearsal?.allowed === true },
        {
          name: 'approval',
          ok:
            approval?.id === found.approval && (approval?.state === 'granted' || approval?.state === 'used'),
        },
        { name: 'checkpoint', ok: checkpoint !== undefined && checkpoint.id === request.checkpoint },
        {
          name: 'unchanged state',
          ok:
            checkpoint !== undefined &&
            rehearsal !== undefined &&
            checkpointDigest(rehearsal.state) === checkpoint.digest,
        },
      ];
      const failed = gates.find(({ ok }) => !ok);
      const allowed = request.dryRun ? rehearsal?.allowed === true : failed === undefined;
      const why =
        rehearsal?.why ?? (failed && tell(`It fails at: ${failed.name}.`, `没有通过:${failed.name}。`));
      // The flow carries it out by itself as soon as it is approved: there is nothing to be set in motion here.
      return {
        incident: found.id,
        dryRun: request.dryRun,
        allowed,
        ...(allowed || why === undefined ? {} : { why }),
        approvalStatus: approval?.state ?? 'unknown',
        checkpointPresent: checkpoint?.id === request.checkpoint,
        ...(action && rehearsal ? await outside.shown(action, rehearsal) : {}),
        gates,
        ...(found.execution ? { execution: found.execution } : {}),
      };
    },
    verify: async ({ windowMs, ...ref }, signal) => {
      const found = await find(ref);
      if (found)
        return {
          incident: found.id,
          recovery: await verifyNow(found, await incidents(), windowMs, limits, signal),
        };
      if (ref.incident !== undefined || ref.service === undefined) throw unknown();
      return { recovery: await outside.verify({ service: ref.service, windowMs }, signal) };
    },
  };
}

const unknown = () => fail('input.not_found', 'There is no such incident.', 'hermes incident list');

async function verifyNow(
  incident: Incident,
  { archive, backends }: HomeIncidents,
  windowMs: number,
  limits: { readonly wholeMs: number },
  signal: AbortSignal,
) {
  const during = (await archive.load(incident.id, incident.round))?.telemetry;
  const { execution } = incident;
  const action = incident.action ?? (incident.service && watched(incident.service));
  if (!during || !action)
    throw fail('input.conflict', `${incident.id} has nothing that could be verified yet.`);
  const at = Date.now();
  const since = execution?.endedAt ?? at - windowMs;
  const { telemetry } = await collectEvidence({
    incident: { ...incident, startsAt: new Date(since).toISOString() },
    sources: backends.sources,
    alerts: [],
    windows: { baselineMs: MINUTE_MS, leadMs: 0 },
    limits,
    now: Date.now,
    signal,
  });
  return judgeRecovery({ action, execution: { endedAt: since }, during, after: telemetry, at });
}

/** How long whoever tells of an incident waits for a verdict. */
const STAY_MS = 60_000;
const LOOK_MS = 150;
const BUSY: readonly Incident['state'][] = ['investigating', 'executing', 'verifying'];

/** The incident as soon as its evidence was looked at. */
async function lookedAt({ must }: HomeIncidents, id: string, signal: AbortSignal): Promise<Incident> {
  const until = Date.now() + STAY_MS;
  for (;;) {
    const found = await must(id);
    if ((found.rca && !BUSY.includes(found.state)) || Date.now() > until || signal.aborted) return found;
    await sleep(LOOK_MS, signal);
  }
}

const isSame = (
  action: ProposedAction,
  asked: Pick<ProposedAction, 'operation' | 'service' | 'params'>,
): boolean =>
  action.operation === asked.operation &&
  action.service === asked.service &&
  Object.entries(asked.params).every(([key, value]) => action.params[key] === value);

async function approvalOf(deps: Needs, id: string) {
  const { approvals } = await deps.gate();
  return approvals.get(id);
}
