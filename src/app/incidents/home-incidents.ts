import type { Language } from '#kit/language';
import type {
  Alert,
  Approval,
  Approver,
  Incident,
  MaintenanceWindow,
  ServiceProfile,
  ServiceState,
  UnattendedGrant,
} from '#spec/data';
import type {
  Admission,
  EvidenceArchive,
  Executor,
  Inbox,
  IncidentGroups,
  IncidentLists,
  IncidentStore,
  Missing,
  Probeable,
  TelemetrySources,
  ToldBy,
} from '#spec/ports';
import type { ManualIncident } from './manual-alert.ts';
import type { GroupingReplay, OtherGrouping, Regroup } from './regroup.ts';

/** The incidents of one home: everything that comes in, is looked at, agreed to and carried out. */
export interface HomeIncidents {
  readonly store: IncidentStore & IncidentLists & IncidentGroups;
  readonly archive: EvidenceArchive;
  /** What people wrote in channels. */
  readonly inbox: Inbox;
  readonly backends: IncidentBackends;
  /** Puts an exported incident in as it was. False: it is known. */
  restore(copy: {
    readonly incident: Incident;
    readonly alerts: readonly Alert[];
    readonly facts: readonly { readonly type: string; readonly at: string; readonly data: unknown }[];
  }): Promise<boolean>;
  /** Throws `input.not_found` where there is no such incident. */
  must(id: string): Promise<Incident>;
  /** Takes alerts in; incidents that they open or change are gone on with, here or wherever the home is served. */
  take(delivery: {
    readonly source: string;
    readonly alerts: readonly Alert[];
    readonly by?: string;
    /** A person is behind it: what they open stays apart from what alerts have opened. */
    readonly told?: ToldBy;
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
  /** Merging, splitting and moving by hand, and the rules that were learned from it. */
  readonly regroup: Pick<Regroup, 'merge' | 'move' | 'rules' | 'removeRule'>;
  /** What the alerts of the last days would make if grouping were another. Nothing changes. */
  replayGrouping(asked: OtherGrouping & { readonly days: number }): Promise<GroupingReplay>;
  /** Has an incident looked at again now. */
  look(id: string): Promise<void>;
  report(id: string, language: Language): Promise<{ readonly markdown: string; readonly html: string }>;
  /** Services that profiles, the topology or incidents know. */
  services(): Promise<readonly string[]>;
  /** How many incidents are being worked on at this moment, by whichever process. */
  busy(): Promise<number>;
  close(): Promise<void>;
}

/** Where evidence comes from, and what carries actions out. */
export interface IncidentBackends {
  readonly sources: readonly TelemetrySources[];
  /** Behind the allow-list of operations. */
  readonly executors: readonly Executor[];
  /** All that are configured, and why some cannot work. */
  readonly listed: readonly ListedBackend[];
  /** Everything that could be configured. */
  readonly kinds: Readonly<Record<BackendPart, readonly string[]>>;
  /** How services run at present, as far as executors know. */
  running(signal: AbortSignal): Promise<Readonly<Record<string, ServiceState>>>;
  close(): Promise<void>;
}

type BackendPart = 'telemetry' | 'executors';

interface ListedBackend {
  readonly part: BackendPart;
  readonly name: string;
  readonly type: string;
  readonly missing?: Missing;
  /** Of those that lack nothing. */
  readonly probe?: Probeable['probe'];
}

/** `incidents.yaml`: what people know about their services. */
export interface IncidentFile {
  readonly services: readonly ServiceProfile[];
  readonly maintenance: readonly MaintenanceWindow[];
  /** What may be carried out without asking, where that is switched on. */
  readonly unattended: readonly UnattendedGrant[];
  /** The file as it was written; rules of the house stand in it in words. */
  readonly text: string;
}
