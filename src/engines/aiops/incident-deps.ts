import type { Gate } from '#engines/gate';
import type { Language } from '#kit/language';
import type {
  Alert,
  Approval,
  GovernanceRule,
  Incident,
  IncidentFact,
  Lesson,
  Prior,
  Rca,
  ServiceProfile,
  ServiceState,
  Topology,
  UnattendedGrant,
} from '#spec/data';
import type {
  AuditLog,
  EvidenceArchive,
  Executor,
  IncidentStore,
  Logger,
  TelemetrySources,
} from '#spec/ports';
import type { Reader } from './reader/read-diagnosis.ts';

/** How long things are looked at and waited for, and how careful to be. */
export interface IncidentSettings {
  /** How much of the time before is compared with. */
  readonly baselineMs: number;
  /** How long before the alert the trouble may have begun. */
  readonly leadMs: number;
  /** Within this, evidence is collected; what has not answered is a gap. */
  readonly collectMs: number;
  /** How long to wait before looking again, round by round; the last one stays. */
  readonly recheckMs: readonly number[];
  /** After so many rounds without an answer only a person or the alerts move it on. */
  readonly mostRounds: number;
  /** How long an approval waits for an answer. */
  readonly approvalMs: number;
  /** The word that a second confirmation asks for. */
  readonly confirmWord: string;
  /** Whether every action asks for it, or only those that a rule says so of. */
  readonly confirmAlways: boolean;
  /** Off: actions are rehearsed and shown, and never carried out. */
  readonly execute: boolean;
  /** Off: whatever grants say, every action waits for a person. */
  readonly unattended: boolean;
  /** Below this confidence nothing destructive is proposed. */
  readonly confidenceFloor: number;
  /**
   * How long an action is given before the first look at its effect, and between looks. So long alerts have to stay away
   * before what they told of is over.
   */
  readonly settleMs: number;
  readonly checkEveryMs: number;
  /** So many good looks in a row are a recovery; after so many looks without it, it has failed. */
  readonly stableChecks: number;
  readonly mostChecks: number;
  readonly language: Language;
  /** The zone of rules that name hours. */
  readonly zone: string;
}

/** What the flow asks others for. Everything that touches the world comes in here. */
export interface IncidentDeps {
  readonly store: IncidentStore;
  readonly archive: EvidenceArchive;
  readonly gate: Pick<Gate, 'ask' | 'grantByRule' | 'redeem' | 'revoke' | 'pending'> & {
    readonly audit: Pick<AuditLog, 'append'>;
    /** The request as it stands. */
    find(id: string): Promise<Approval | undefined>;
    /** The newest agreements, newest first. */
    agreed(limit: number): Promise<readonly Approval[]>;
  };
  /** Name of the home's profile: whose incidents these are. */
  readonly profile: string;
  readonly settings: IncidentSettings;
  readonly log: Logger;
  readonly now: () => number;
  sources(): Promise<readonly TelemetrySources[]>;
  /** Behind the allow-list. */
  executors(): Promise<readonly Executor[]>;
  profileOf(service: string): Promise<ServiceProfile | undefined>;
  topology(): Promise<Topology>;
  rules(): Promise<readonly GovernanceRule[]>;
  /** What may be carried out without asking. */
  grants(): Promise<readonly UnattendedGrant[]>;
  /** How services run at present, by name, as far as it is known. */
  running(signal: AbortSignal): Promise<Readonly<Record<string, ServiceState>>>;
  priors(incident: Incident, signal: AbortSignal): Promise<readonly Prior[]>;
  /** The model that reads a root cause a second time; undefined where none is configured, or where it is not wanted. */
  reader(): Promise<Reader | undefined>;
  /** What a model makes of it, with unfounded claims struck out; undefined without a model. */
  explain(
    incident: Incident,
    rca: Rca,
    priors: readonly Prior[],
    signal: AbortSignal,
  ): Promise<string | undefined>;
  learn(incident: Incident, facts: readonly IncidentFact[], alerts: readonly Alert[]): Promise<Lesson>;
}

/** What a stage is told about the moment that it runs in. */
export interface Occasion {
  /** The same for every attempt at this step. */
  readonly key: string;
  readonly round: number;
  readonly signal: AbortSignal;
}

/** The incident as it stands now. */
export async function mustFind(store: Pick<IncidentStore, 'get'>, id: string): Promise<Incident> {
  const incident = await store.get(id);
  if (!incident) throw new Error(`incident ${id} is gone`);
  return incident;
}
