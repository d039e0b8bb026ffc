import type {
  Alert,
  EvidenceResult,
  Incident,
  IncidentFact,
  IncidentFacts,
  IncidentMember,
  IncidentState,
  IncidentSummary,
  Telemetry,
  Text,
  TimeWindow,
} from '#spec/data';
import type { AskedQuery } from './telemetry.ts';

/** A fact that is about to be written. */
export type NewFact = {
  [K in keyof IncidentFacts]: { readonly type: K; readonly data: IncidentFacts[K] };
}[keyof IncidentFacts];

/** What is changed of an incident; undefined takes a part away. */
export type IncidentPatch = {
  readonly [K in keyof Omit<Incident, 'id' | 'createdAt' | 'updatedAt'>]?: Incident[K] | undefined;
};

/** Where an alert belongs that no open incident knows yet. */
export type Placement =
  | {
      readonly to: 'incident';
      readonly id: string;
      readonly why: Text;
      /** Other open incidents that turn out to be the same one: they become part of it. */
      readonly merge?: readonly { readonly id: string; readonly why: Text }[];
    }
  | {
      readonly to: 'new';
      readonly id: string;
      /** It gathers what nothing connects, and this alert is its first. */
      readonly storm?: { readonly title: string; readonly why: Text };
    }
  /** Kept, and no incident: work was planned. */
  | { readonly to: 'nowhere'; readonly why: Text };

/** An open incident as far as grouping has to know it. */
export type OpenIncident = Pick<
  Incident,
  | 'id'
  | 'title'
  | 'severity'
  | 'state'
  | 'service'
  | 'services'
  | 'heard'
  | 'labels'
  | 'startsAt'
  | 'createdAt'
  | 'updatedAt'
  | 'alerts'
  | 'firing'
  | 'kind'
  | 'byHand'
>;

/** Where a person is behind an alert: they opened an incident, or told of trouble in words. */
export type ToldBy = 'opened' | 'told';

/** What somebody said of two services by moving, splitting or merging: alerts of both are one incident, or never are. */
export interface GroupingRule {
  readonly id: string;
  readonly services: readonly [string, string];
  readonly verdict: 'together' | 'apart';
  readonly by: string;
  readonly at: number;
}

/** What became of one alert. `known`: it was delivered before and nothing has changed. */
export interface Admission {
  readonly fingerprint: string;
  readonly outcome: 'created' | 'joined' | 'resolved' | 'refired' | 'known' | 'suppressed';
  /** Absent when it was suppressed, or resolved without ever having fired here. */
  readonly incident?: string;
  readonly why?: Text;
  /** Incidents that became part of that one with it. */
  readonly merged?: readonly string[];
}

export interface IncidentFilter {
  readonly states?: readonly IncidentState[];
  readonly service?: string;
  readonly text?: string;
  /** Made from then on, and before then: milliseconds since the epoch. */
  readonly from?: number;
  readonly before?: number;
  /** Also those that became part of another, which tells of them. */
  readonly parts?: boolean;
  readonly limit: number;
}

/** One incident of a stretch of time, and what happened to it. */
export interface IncidentHistory {
  readonly incident: IncidentSummary;
  /** How often its alerts were delivered, repetitions included. */
  readonly deliveries: number;
  /** In order, from its beginning on. */
  readonly facts: readonly IncidentFact[];
}

/** Many incidents at once, at little cost. */
export interface IncidentLists {
  /** Newest first, as far as lists show them. */
  summaries(filter: IncidentFilter): Promise<readonly IncidentSummary[]>;
  /** Incidents to which something happened in a stretch of time, oldest first, each with all its facts of some types. */
  histories(asked: {
    /** Milliseconds since the epoch; `to` is no part of it. */
    readonly from: number;
    readonly to: number;
    readonly types: readonly IncidentFact['type'][];
    readonly limit: number;
  }): Promise<readonly IncidentHistory[]>;
}

/**
 * Incidents, their alerts and their timelines. Shared by every process of a home: each write is one transaction that is
 * on disk when it resolves.
 */
export interface IncidentStore {
  /**
   * Takes a delivery in, whole or not at all. `place` is asked for alerts whose fingerprint no open incident has; it
   * must be quick, and sees incidents of the same delivery too.
   */
  admit(
    delivery: {
      readonly source: string;
      readonly alerts: readonly Alert[];
      /** Who sent it, where a person did, as they were authenticated. */
      readonly by?: string;
      readonly told?: ToldBy;
    },
    place: (alert: Alert, open: readonly OpenIncident[], told?: ToldBy) => Placement,
    at: number,
  ): Promise<readonly Admission[]>;
  get(id: string): Promise<Incident | undefined>;
  /** Newest first. */
  list(filter: IncidentFilter): Promise<readonly Incident[]>;
  /** The alerts of an incident as they were delivered last, oldest first; of very many the first and the last. */
  alerts(id: string): Promise<readonly Alert[]>;
  /** Facts and a change, together. A `key` that this incident has had already changes nothing. */
  record(
    id: string,
    entry: { readonly key: string; readonly facts: readonly NewFact[]; readonly patch?: IncidentPatch },
    at: number,
  ): Promise<Incident>;
  /** In order. `seq` counts within the incident. */
  facts(id: string, afterSeq: number, limit: number): Promise<readonly IncidentFact[]>;
  /** Facts of all incidents after a place `n` in the common order, or the last one alone. */
  news(
    after: number | 'last',
    limit: number,
  ): Promise<readonly { readonly n: number; readonly fact: IncidentFact }[]>;
}

/** Which alerts an incident holds, and why; to be mended by hand. */
export interface IncidentGroups {
  /** Alerts of one name and service as one entry each, oldest first, with counts of all of them. */
  members(id: string): Promise<readonly IncidentMember[]>;
  /** Makes one incident part of another: its alerts move, and it is closed. */
  merge(from: string, into: string, why: Text, at: number): Promise<Incident>;
  /** Takes alerts out of an incident into another one; where there is none of that id, it is opened. Some must stay. */
  move(from: string, which: AlertsOf, into: string, why: Text, at: number): Promise<Incident>;
  /** Oldest first. */
  rules(): Promise<readonly GroupingRule[]>;
  addRule(rule: GroupingRule): Promise<void>;
  /** False: there is none of that id. */
  removeRule(id: string): Promise<boolean>;
  /** Alerts that came from then on, in their order, and where they are now. */
  past(asked: {
    readonly from: number;
    readonly limit: number;
  }): Promise<readonly { readonly alert: Alert; readonly at: number; readonly incident: string }[]>;
}

/** Alerts of a service, of a name, or of both. */
export interface AlertsOf {
  readonly service?: string;
  readonly name?: string;
}

/** One request to one backend, as it was made. An empty `query`: the backend has no language to say it in. */
export interface AskedRecord extends AskedQuery {
  readonly source: string;
  readonly kind: 'metrics' | 'logs' | 'traces' | 'topology' | 'changes';
  readonly window: TimeWindow;
}

export interface CollectedRound {
  readonly telemetry: Telemetry;
  readonly asked: readonly AskedRecord[];
}

/** What was collected for an incident, round by round, and what each piece of evidence rests on. */
export interface EvidenceArchive {
  /** Atomic: after a crash a round is there whole or not at all. Saving it again takes its place. */
  save(incident: string, round: number, collected: CollectedRound): Promise<void>;
  load(incident: string, round: number): Promise<CollectedRound | undefined>;
  putResults(
    incident: string,
    round: number,
    results: Readonly<Record<string, EvidenceResult>>,
  ): Promise<void>;
  /** By the id of the evidence. */
  results(incident: string, round: number): Promise<Readonly<Record<string, EvidenceResult>>>;
  /** The folder of a round: an incident bundle. */
  folder(incident: string, round: number): string;
}
