import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { evidenceArchive } from '#adapters/bundles';
import { openFlows, openIncidentDatabase } from '#adapters/store';
import { incidentFlow, intake, logIncidents, placeAlert, type IncidentSettings } from '#engines/aiops';
import { fail } from '#kit/app-error';
import { newId } from '#kit/new-id';
import type { Topology } from '#spec/data';
import type { EvidenceArchive, GroupingRule } from '#spec/ports';
import {
  type HomeIncidents,
  houseRules,
  incidentMoves,
  incidentReport,
  knownTopology,
  manualAlert,
  regroup,
} from '#app/incidents';
import type { Redactor } from '#app';
import { localAudience } from '#app/terminal';
import type { Host } from '../open-host.ts';
import { readIncidentFile, writtenTopology } from './incident-file.ts';
import { incidentMind } from './incident-mind.ts';
import { incidentStoreFile } from '../home-databases.ts';
import { openIncidentBackends } from './open-incident-backends.ts';
import type { Language } from '#kit/language';
import type { Config } from '#config';

type Needs = Pick<
  Host,
  | 'answering'
  | 'auxiliary'
  | 'database'
  | 'gate'
  | 'home'
  | 'incidentFile'
  | 'language'
  | 'loaded'
  | 'log'
  | 'memory'
  | 'redactor'
  | 'settings'
  | 'skills'
  | 'tracing'
>;

const MOST_OPEN = 10_000;
const MOST_APPROVALS = 200;
const MOST_PAST = 200;
const MINUTE_MS = 60_000;
/** How often it is looked for incidents that nobody runs, such as those of a process that ended at the wrong moment. */
const SWEEP_MS = 15_000;

export async function openIncidents(host: Needs, { run }: { readonly run: boolean }): Promise<HomeIncidents> {
  const { home, loaded, log } = host;
  const now = Date.now;
  await home.make();
  const redactor = await host.redactor();
  const { language } = host;
  const settings = incidentSettings(loaded.config.incidents, language);
  const file = await readIncidentFile(home);
  const storeFile = incidentStoreFile(host);
  await mkdir(dirname(storeFile), { recursive: true, mode: 0o700 });
  const {
    incidents,
    inbox,
    restore,
    close: closeStore,
  } = await openIncidentDatabase(storeFile, { clean: redactor.text });
  const store = logIncidents(incidents, log);
  const archive = redactingArchive(evidenceArchive(home.dir('incidents')), redactor);
  const backends = await openIncidentBackends(host).catch(async (thrown: unknown) => {
    await closeStore();
    throw thrown;
  });
  const gate = await host.gate();
  const topology = knownTopology(writtenTopology(file), backends.sources, log);
  const flow = incidentFlow({
    store,
    archive,
    gate: {
      ...gate,
      find: (id: string) => gate.approvals.get(id),
      agreed: (limit: number) => gate.approvals.list({ states: ['granted', 'used'], limit }),
    },
    profile: home.profile,
    settings,
    log,
    now,
    sources: async () => backends.sources,
    executors: async () => backends.executors,
    profileOf: async (service) => file.services.find((profile) => profile.service === service),
    topology: async () => topology.now(),
    rules: await houseRules(host, file),
    grants: async () => file.unattended,
    running: backends.running,
    ...incidentMind(host, { store, archive, language }),
  });
  const flows = await openFlows(home.file('flows.db'), {
    clean: redactor.text,
    flows: run ? [flow] : [],
    report: ({ code, message }) =>
      log.error('flow.failed', { flow: 'incident', error: `${code}: ${message}` }),
  });
  const windowMs = loaded.config.incidents.group_minutes * MINUTE_MS;
  const placing = (edges: Topology, rules: readonly GroupingRule[]) =>
    placeAlert({
      topology: edges,
      rules,
      maintenance: file.maintenance,
      windowMs,
      language,
      now,
      newId: () => newId('inc'),
    });
  let rules = await store.rules();
  let place = placing(topology.now(), rules);
  topology.changed((edges) => {
    place = placing(edges, rules);
  });
  /** Another process of this home may have learned something. */
  const placeNow = async () => {
    const told = await store.rules();
    if (JSON.stringify(told) !== JSON.stringify(rules)) {
      rules = told;
      place = placing(topology.now(), rules);
    }
    return place;
  };
  const moves = incidentMoves({ store, flows, flow, gate, log });
  const regrouped = regroup({
    store,
    must: moves.must,
    follow: moves.changed,
    flows,
    audit: gate.audit,
    profile: home.profile,
  });
  const sweepFailed = (thrown: unknown): void => log.error('part.failed', { part: 'incident sweep', thrown });
  const sweeper = run
    ? setInterval(() => void moves.sweep().catch(sweepFailed), SWEEP_MS).unref()
    : undefined;
  const traced = run ? (await host.tracing())?.incidents(store) : undefined;
  if (run) {
    topology.follow();
    await moves.sweep();
  }

  const take: HomeIncidents['take'] = async (delivery) => {
    const admissions = await intake(redactor.deep(delivery), { store, place: await placeNow(), now });
    await moves.follow(admissions);
    return admissions;
  };
  return {
    store,
    archive,
    inbox,
    backends,
    restore,
    must: moves.must,
    take,
    open: async (told) => {
      const { user } = localAudience();
      const [made] = await take({
        source: 'cli',
        alerts: [manualAlert('cli', told, now())],
        told: 'opened',
        by: user,
      });
      if (!made) throw fail('internal', 'the incident was not taken in');
      return made;
    },
    decide: moves.decide,
    approvals: async (all) => {
      const pending = await gate.pending();
      const found = all ? await gate.approvals.list({ limit: MOST_APPROVALS }) : pending;
      return found.filter(({ requester }) => requester.platform === 'incident');
    },
    confirmWord: async ({ approval }) =>
      approval === undefined ? undefined : (await gate.approvals.get(approval))?.confirm,
    closeBy: moves.closeBy,
    regroup: regrouped,
    replayGrouping: ({ days, ...other }) =>
      regrouped.replay(now() - days * DAY, { topology: topology.now(), windowMs }, other),
    look: async (id) => {
      await flows.signal(id, 'incident.look', {}, newId('look'));
    },
    report: async (id, wanted) => incidentReport(await moves.must(id), { store, archive }, wanted),
    services: async () => {
      const past = await store.summaries({ limit: MOST_PAST });
      const edges = topology.now().edges.flatMap(({ from, to }) => [from, to]);
      const listed = file.services.map(({ service }) => service);
      return [...new Set([...listed, ...edges, ...past.flatMap(({ services }) => services)])];
    },
    busy: async () => (await flows.list({ states: ['running'], limit: MOST_OPEN })).length,
    close: async () => {
      clearInterval(sweeper);
      topology.close();
      await flows.close();
      await traced?.close();
      await backends.close();
      await closeStore();
    },
  };
}

/** What is collected about an incident is kept without the secrets in it. */
const redactingArchive = (archive: EvidenceArchive, { deep }: Redactor): EvidenceArchive => ({
  ...archive,
  save: (incident, round, collected) => archive.save(incident, round, deep(collected)),
  putResults: (incident, round, results) => archive.putResults(incident, round, deep(results)),
});

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The settings of config.yaml as the flow wants them. */
const incidentSettings = (given: Config['incidents'], language: Language): IncidentSettings => ({
  baselineMs: given.baseline_minutes * MINUTE,
  leadMs: given.lead_seconds * SECOND,
  collectMs: given.collect_seconds * SECOND,
  recheckMs: given.recheck_seconds.map((seconds) => seconds * SECOND),
  mostRounds: given.most_rounds,
  approvalMs: given.approval_hours * HOUR,
  confirmWord: given.confirm_word,
  confirmAlways: given.confirm_always,
  execute: given.execute,
  unattended: given.unattended,
  confidenceFloor: given.confidence,
  settleMs: given.settle_seconds * SECOND,
  checkEveryMs: given.check_seconds * SECOND,
  stableChecks: given.stable_checks,
  mostChecks: given.most_checks,
  language,
  zone: given.zone,
});
