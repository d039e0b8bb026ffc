import { mkdir } from 'node:fs/promises';
import { evidenceArchive } from '#adapters/backends';
import { type IncidentDatabase, openFlows, openIncidentDatabase } from '#adapters/store';
import { incidentFlow, type IncidentInput, intake, parseRule, placeAlert, postMortem } from '#engines/aiops';
import { fail } from '#kit/app-error';
import type { Language } from '#kit/language';
import { newId } from '#kit/new-id';
import {
  type Alert,
  type Approval,
  type Approver,
  ENDED_STATES,
  type EvidenceResult,
  type GovernanceRule,
  type Incident,
  INCIDENT_STATES,
  type Topology,
} from '#spec/data';
import type { Admission, DurableEngine, EvidenceArchive, Flow, IncidentStore } from '#spec/ports';
import { localAudience } from '../find-session.ts';
import { preferredLanguage } from '../language.ts';
import type { Host } from '../open-host.ts';
import { type IncidentFile, readIncidentFile, writtenTopology } from './incident-file.ts';
import { incidentMind } from './incident-mind.ts';
import { incidentSettings } from './incident-settings.ts';
import { knownTopology } from './known-topology.ts';
import { manualAlert, type ManualIncident } from './manual-alert.ts';
import { type IncidentBackends, openIncidentBackends } from './open-incident-backends.ts';

/** The incidents of one home: everything that comes in, is looked at, agreed to and carried out. */
export interface HostIncidents {
  readonly store: IncidentStore;
  readonly archive: EvidenceArchive;
  readonly backends: IncidentBackends;
  /** Puts an exported incident in as it was. False: it is known. */
  readonly restore: IncidentDatabase['restore'];
  /** Takes alerts in; incidents that they open or change are gone on with, here or wherever the home is served. */
  take(delivery: {
    readonly source: string;
    readonly alerts: readonly Alert[];
    readonly by?: string;
  }): Promise<readonly Admission[]>;
  /** Opens one by hand, on behalf of whoever sits at this terminal. */
  open(told: ManualIncident): Promise<Admission>;
  /** The answer of somebody whom the host has authenticated. */
  decide(
    approval: string,
    decision: { readonly granted: boolean; readonly confirmation?: string; readonly by: Approver },
  ): Promise<Approval>;
  approvals(all: boolean): Promise<readonly Approval[]>;
  /** The word that agreeing to what an incident proposes takes. */
  confirmWord(incident: Incident): Promise<string | undefined>;
  closeBy(id: string, by: string, why: string): Promise<Incident>;
  /** Has an incident looked at again now. */
  look(id: string): Promise<void>;
  report(id: string, language: Language): Promise<{ readonly markdown: string; readonly html: string }>;
  /** How many incidents are being worked on at this moment, by whichever process. */
  busy(): Promise<number>;
  close(): Promise<void>;
}

const MOST_OPEN = 10_000;
const MOST_CLOSED = 200;
const MOST_FACTS = 5_000;
const MOST_APPROVALS = 200;
const MINUTE_MS = 60_000;
/** How often it is looked for incidents that nobody runs, such as those of a process that ended at the wrong moment. */
const SWEEP_MS = 15_000;

export async function openIncidents(host: Host, { run }: { readonly run: boolean }): Promise<HostIncidents> {
  const { home, loaded } = host;
  const now = Date.now;
  await mkdir(home.root, { recursive: true, mode: 0o700 });
  const language = preferredLanguage(loaded.env, home.profile);
  const settings = incidentSettings(loaded.config.incidents, language);
  const file = await readIncidentFile(home);
  const {
    incidents: store,
    restore,
    close: closeStore,
  } = await openIncidentDatabase(loaded.env['RUNBOOK_STORE_SQLITE_PATH'] || home.file('incidents.db'));
  const archive = evidenceArchive(home.dir('incidents'));
  const backends = await openIncidentBackends(host);
  const gate = await host.gate();
  const topology = knownTopology(writtenTopology(file), backends.sources);
  const flow = incidentFlow({
    store,
    archive,
    gate: { ...gate, find: (id: string) => gate.approvals.get(id) },
    profile: home.profile,
    settings,
    now,
    sources: async () => backends.sources,
    executors: async () => backends.executors,
    profileOf: async (service) => file.services.find((profile) => profile.service === service),
    topology: async () => topology.now(),
    rules: async () => rulesOf(host, file),
    running: backends.running,
    ...incidentMind(host, { store, archive, language }),
  });
  const flows = await openFlows(home.file('flows.db'), {
    flows: run ? [flow] : [],
    report: ({ message }) => process.emitWarning(message),
  });
  const placing = (edges: Topology) =>
    placeAlert({
      topology: edges,
      maintenance: file.maintenance,
      windowMs: loaded.config.incidents.group_minutes * MINUTE_MS,
      now,
      newId: () => newId('inc'),
    });
  let place = placing(topology.now());
  topology.changed((edges) => {
    place = placing(edges);
  });
  const desk = incidentDesk({ store, flows, flow, gate });
  const sweeper = run ? setInterval(() => void desk.sweep().catch(report), SWEEP_MS).unref() : undefined;
  if (run) {
    topology.follow();
    await desk.sweep();
  }

  const take: HostIncidents['take'] = async (delivery) => {
    const admissions = await intake(delivery, { store, place, now });
    await desk.follow(admissions);
    return admissions;
  };
  return {
    store,
    archive,
    backends,
    restore,
    take,
    open: async (told) => {
      const { user } = localAudience();
      const [made] = await take({ source: 'cli', alerts: [manualAlert('cli', told, now())], by: user });
      if (!made) throw fail('internal', 'the incident was not taken in');
      return made;
    },
    decide: desk.decide,
    approvals: async (all) => {
      const pending = await gate.pending();
      const found = all ? await gate.approvals.list({ limit: MOST_APPROVALS }) : pending;
      return found.filter(({ requester }) => requester.platform === 'incident');
    },
    confirmWord: async ({ approval }) =>
      approval === undefined ? undefined : (await gate.approvals.get(approval))?.confirm,
    closeBy: desk.closeBy,
    look: async (id) => {
      await flows.signal(id, 'incident.look', {}, newId('look'));
    },
    report: async (id, wanted) => reportOf({ store, archive }, id, wanted),
    busy: async () => (await flows.list({ states: ['running'], limit: MOST_OPEN })).length,
    close: async () => {
      clearInterval(sweeper);
      topology.close();
      await flows.close();
      await backends.close();
      await closeStore();
    },
  };
}

const report = (thrown: unknown): void => process.emitWarning(String(thrown));

interface DeskParts {
  readonly store: IncidentStore;
  readonly flows: DurableEngine;
  readonly flow: Flow<IncidentInput>;
  readonly gate: Awaited<ReturnType<Host['gate']>>;
}

/** What moves incidents on: alerts, answers, people. */
function incidentDesk({ store, flows, flow, gate }: DeskParts) {
  const begin = (incident: string) => flows.start(flow, incident, { incident });
  const must = async (id: string): Promise<Incident> => {
    const found = await store.get(id);
    if (!found) throw fail('input.not_found', `There is no incident '${id}'.`, 'hermes incident list --all');
    return found;
  };
  return {
    follow: async (admissions: readonly Admission[]): Promise<void> => {
      const changed = new Map(
        admissions.flatMap(({ incident, outcome }) =>
          incident === undefined || outcome === 'known' ? [] : [[incident, outcome] as const],
        ),
      );
      for (const [incident] of changed)
        if (!(await begin(incident))) await flows.signal(incident, 'alerts.changed', {}, newId('alerts'));
    },
    /**
     * What a process wrote down and did not live to pass on: incidents that were not begun, answers, alerts that have gone
     * away, closings. To tell a flow again what it knows changes nothing.
     */
    sweep: async (): Promise<void> => {
      const states = INCIDENT_STATES.filter((state) => !ENDED_STATES.includes(state));
      for (const { id, state, approval, firing, updatedAt } of await store.list({
        states,
        limit: MOST_OPEN,
      })) {
        if (await begin(id)) continue;
        const request =
          state === 'awaiting_approval' && approval ? await gate.approvals.get(approval) : undefined;
        if (request && request.state !== 'pending')
          await flows.signal(id, 'approval.decided', { approval }, `decided ${request.id}`);
        if (firing === 0) await flows.signal(id, 'alerts.changed', {}, `gone ${updatedAt}`);
      }
      for (const { id, lesson } of await store.list({ states: ['closed'], limit: MOST_CLOSED }))
        if (!lesson) await flows.signal(id, 'incident.closed', {}, 'closed');
    },
    decide: async (
      id: string,
      {
        by,
        ...decision
      }: { readonly granted: boolean; readonly confirmation?: string; readonly by: Approver },
    ): Promise<Approval> => {
      const request = await gate.approvals.get(id);
      if (request?.requester.platform !== 'incident')
        throw fail('input.not_found', `There is no request '${id}'.`, 'hermes incident list');
      const { session: incident } = request.requester;
      try {
        const decided = await gate.decide(id, { ...decision, scope: 'once', by });
        await flows.signal(incident, 'approval.decided', { approval: id }, `decided ${id}`);
        return decided;
      } catch (thrown) {
        const why = thrown instanceof Error ? thrown.message : String(thrown);
        await store.record(
          incident,
          {
            key: newId('refused'),
            facts: [
              { type: 'approval.refused', data: { approval: id, by: `${by.channel}:${by.user}`, why } },
            ],
          },
          Date.now(),
        );
        throw thrown;
      }
    },
    closeBy: async (id: string, by: string, why: string): Promise<Incident> => {
      const incident = await must(id);
      if (ENDED_STATES.includes(incident.state))
        throw fail('input.conflict', `${id} has ended already: it is ${incident.state}.`);
      if (incident.state === 'executing')
        throw fail('input.conflict', `${id} is being acted on: it can be closed when that is over.`);
      const at = Date.now();
      const closed = await store.record(
        id,
        {
          key: newId('closed'),
          facts: [{ type: 'incident.closed', data: { state: 'closed', why: `${by}: ${why}` } }],
          patch: { state: 'closed', closedAt: at, note: why },
        },
        at,
      );
      await flows.signal(id, 'incident.closed', {}, 'closed');
      return closed;
    },
  };
}

/** Rules that somebody wrote down, and those that were remembered. */
async function rulesOf(host: Host, { rules, services }: IncidentFile): Promise<readonly GovernanceRule[]> {
  const { peak_hours, change_window, zone } = host.loaded.config.incidents;
  const hours = {
    ...hoursOf('peak', peak_hours, zone),
    ...hoursOf('changeWindow', change_window, zone),
    services: services.map(({ service }) => service),
  };
  const { memory } = await host.memory();
  const told = await memory.list(undefined, { kinds: ['governance_rule'], states: ['active'], limit: 200 });
  const sentences = told.filter(({ scope }) => scope === 'team').map(({ id, text }) => ({ id, text }));
  const own = rules.map((rule, at) =>
    typeof rule === 'string' ? { id: `rule-${at + 1}`, text: rule } : rule,
  );
  const parsed = [...own.filter(isSentence), ...sentences].flatMap(
    ({ id, text }) => parseRule(text, id, hours) ?? [],
  );
  return [...own.filter((rule): rule is GovernanceRule => !isSentence(rule)), ...parsed];
}

const isSentence = (rule: object): boolean => !('effect' in rule);

/** `19:00-23:00` as a rule wants it. */
function hoursOf<K extends string>(
  key: K,
  text: string | undefined,
  zone: string,
): { [P in K]?: { start: string; end: string; zone: string } } {
  const [, start, end] = /^\s*(\d{1,2}:\d{2})\s*-\s*(\d{1,2}:\d{2})\s*$/.exec(text ?? '') ?? [];
  if (text && (!start || !end))
    throw fail('config.invalid', `incidents: '${text}' are no hours: they are written 19:00-23:00.`);
  return (start && end ? { [key]: { start, end, zone } } : {}) as {
    [P in K]?: { start: string; end: string; zone: string };
  };
}

async function reportOf(
  { store, archive }: Pick<HostIncidents, 'store' | 'archive'>,
  id: string,
  language: Language,
): Promise<{ readonly markdown: string; readonly html: string }> {
  const incident = await store.get(id);
  if (!incident) throw fail('input.not_found', `There is no incident '${id}'.`);
  const results: Record<string, EvidenceResult> = {};
  for (const { id: evidence } of incident.rca?.evidence ?? []) {
    const found = await archive.result(id, incident.round, evidence);
    if (found) results[evidence] = found;
  }
  return postMortem({
    incident,
    facts: await store.facts(id, 0, MOST_FACTS),
    alerts: await store.alerts(id),
    results,
    language,
  });
}
