import {
  type ActionAnswer,
  type ActionRequest,
  collectEvidence,
  type DeskProposal,
  executorFor,
  judgeRecovery,
  proposeAction,
  reachVerdict,
  requestedAction,
} from '#engines/aiops';
import { joinTexts, tell } from '#kit/text';
import type { Incident, ProposedAction, Recovery, Rehearsal } from '#spec/data';
import { likeCommand } from '#spec/data/operations';
import type { Dependencies } from '../dependencies.ts';
import { houseRules } from './house-rules.ts';

type Needs = Pick<Dependencies, 'database' | 'incidentFile' | 'incidents' | 'memory' | 'settings'>;

const MINUTE_MS = 60_000;
/** So much of the time before is what may have been bad; the rest of it is usual. */
const JUST_BEFORE = 0.25;

const NEEDS_INCIDENT = tell(
  'Nothing is carried out outside of an incident: it holds the approval, the checkpoint and the audit. Open one with incident_open or `hermes incident create`.',
  '事故之外不执行任何动作:审批、检查点和审计都在事故中。请用 incident_open 或 `hermes incident create` 建立事故。',
);
const NO_EXECUTOR = tell('No executor can do it.', '没有执行器可以执行它。');

interface About {
  readonly service: string;
  readonly windowMs: number;
}

/** What is judged where nothing was done: the service itself. */
export const watched = (service: string): ProposedAction =>
  requestedAction({ operation: 'observe', service, params: {} }, [], { now: 0, zone: 'UTC' }).action;

/**
 * What may be asked about a service while no incident of it is open. All of it reads: evidence is collected now and stored
 * nowhere, an action is rehearsed, and nothing is carried out.
 */
export function withoutIncident(deps: Needs) {
  const settings = deps.settings.incidents;
  const baselineMs = settings.baseline_minutes * MINUTE_MS;
  const look = async ({ service, windowMs }: About, open: Incident | undefined, signal: AbortSignal) => {
    const { backends, store } = await deps.incidents();
    const { services } = await deps.incidentFile();
    const startsAt = new Date(Date.now() - windowMs).toISOString();
    const asked = {
      id: 'now',
      title: service,
      severity: 'P3' as const,
      startsAt,
      service,
      services: [service],
    };
    return collectEvidence({
      incident: open ?? asked,
      sources: backends.sources,
      alerts: open ? await store.alerts(open.id) : [],
      profiles: services.filter((profile) => profile.service === service),
      windows: { baselineMs, leadMs: 0 },
      limits: { wholeMs: settings.collect_seconds * 1_000 },
      now: Date.now,
      signal,
    });
  };
  const known = async (service: string) => {
    const file = await deps.incidentFile();
    return {
      profile: file.services.find((one) => one.service === service),
      rules: await (await houseRules(deps, file))(),
    };
  };
  /** An executor that has no commands spells the action in the words of Hermes. */
  const shown = async (action: ProposedAction, { preview, diff }: Rehearsal) => {
    const { profile } = await known(action.service);
    const equivalent = preview.startsWith(action.operation) ? likeCommand(action, profile?.names) : undefined;
    return { preview, diff, ...(equivalent === undefined ? {} : { equivalent }) };
  };
  return {
    look,
    shown,
    /** What the policy would propose about what the service suffers now. */
    propose: async (about: About, signal: AbortSignal): Promise<DeskProposal> => {
      const { service } = about;
      const { telemetry, asked } = await look(about, undefined, signal);
      const { rca } = reachVerdict(telemetry, asked);
      const { backends } = await deps.incidents();
      const { profile, rules } = await known(rca.hypotheses[0]?.service ?? service);
      const { action, why } = proposeAction({
        incident: { id: `now ${service}`, round: 1, service, services: [service] },
        rca,
        changes: telemetry.changes ?? [],
        ...(telemetry.topology ? { topology: telemetry.topology } : {}),
        state: await backends.running(signal),
        ...(profile ? { profile } : {}),
        rules,
        operations: [...new Set(backends.executors.flatMap(({ operations }) => operations))],
        floor: settings.confidence,
        now: Date.now(),
        zone: settings.zone,
      });
      return { rca, ...(action ? { action } : {}), why: joinTexts(why, ' ') };
    },
    /** Rehearses what is asked for. Anything but a rehearsal is refused: there is nothing that it could have passed. */
    request: async (
      { dryRun, operation, service, params }: ActionRequest,
      signal: AbortSignal,
    ): Promise<ActionAnswer> => {
      const closed = { approvalStatus: 'unknown', checkpointPresent: false };
      const absent = ['incident', 'approval', 'checkpoint'].map((name) => ({ name, ok: false }));
      if (!dryRun) return { dryRun, allowed: false, why: NEEDS_INCIDENT, ...closed, gates: absent };
      const { backends } = await deps.incidents();
      const { profile, rules } = await known(service);
      const { action, ruledOut } = requestedAction(
        { operation, service, params },
        [...rules, ...(profile?.rules ?? [])],
        { now: Date.now(), zone: settings.zone },
      );
      const executor = executorFor(backends.executors, action);
      const rehearsal = await executor?.rehearse(action, signal);
      const allowed = rehearsal?.allowed === true && ruledOut === undefined;
      const why = ruledOut ?? rehearsal?.why ?? (executor ? undefined : NO_EXECUTOR);
      return {
        dryRun,
        allowed,
        ...(allowed || why === undefined ? {} : { why }),
        ...closed,
        ...(rehearsal ? await shown(action, rehearsal) : {}),
        gates: [
          { name: 'executor', ok: executor !== undefined },
          { name: 'allow-list', ok: rehearsal?.allowed === true },
          { name: 'rules', ok: ruledOut === undefined },
          ...absent,
        ],
      };
    },
    /** Whether the service is as usual in the newest window, against the time before and the minutes just before. */
    verify: async ({ service, windowMs }: About, signal: AbortSignal): Promise<Recovery> => {
      const at = Date.now();
      const about = { service, windowMs: windowMs + JUST_BEFORE * baselineMs };
      const { telemetry, asked } = await look(about, undefined, signal);
      const window = { start: new Date(at - windowMs).toISOString(), end: new Date(at).toISOString() };
      const { bundle } = telemetry;
      return judgeRecovery({
        action: watched(service),
        execution: { endedAt: at - windowMs },
        during: {
          ...telemetry,
          bundle: { ...bundle, incident: { start: bundle.incident.start, end: window.start } },
        },
        after: telemetry,
        window,
        logsAnswered: asked.some(({ kind, problem }) => kind === 'logs' && problem === undefined),
        at,
      });
    },
  };
}
