import type {
  Audience,
  Execution,
  Incident,
  IncidentState,
  Operation,
  ProposedAction,
  Rca,
  Recovery,
  Severity,
  Text,
} from '#spec/data';
import type { Admission, TelemetrySources } from '#spec/ports';

/** An incident by its id or, without one, the newest open one of a service. */
interface IncidentRef {
  readonly incident?: string | undefined;
  readonly service?: string | undefined;
}

/** A diagnosis, grounded: its evidence ids resolve. */
interface DeskDiagnosis {
  /** Absent: it is of no incident, only of what was asked about. */
  readonly incident?: string;
  readonly rca: Rca;
  readonly gaps: readonly Text[];
}

export interface DeskProposal {
  /** Absent: it is of no incident, and can be carried out by nobody. */
  readonly incident?: string;
  /** What it rests on, where there is a diagnosis. */
  readonly rca?: Rca;
  /** Absent: nothing is proposed, because of `why`. */
  readonly action?: ProposedAction;
  readonly why: Text;
  /** The request for agreement and the checkpoint, where they were made. */
  readonly approval?: string;
  readonly checkpoint?: string;
}

/** An action that somebody wants carried out, or only rehearsed. */
export interface ActionRequest extends IncidentRef {
  readonly operation: Operation;
  readonly service: string;
  readonly params: ProposedAction['params'];
  readonly approval?: string | undefined;
  readonly checkpoint?: string | undefined;
  readonly dryRun: boolean;
  /** Who asks: a session with its audience. Never an approver. */
  readonly session: string;
  readonly audience: Audience;
}

export interface ActionAnswer {
  readonly incident?: string;
  readonly dryRun: boolean;
  readonly allowed: boolean;
  /** Why not. */
  readonly why?: Text;
  /** What became of the approval that was named: `granted`, `pending`, `denied`, `expired`, `used`, `unknown`, … */
  readonly approvalStatus: string;
  /** Whether the checkpoint that was named is the one of this action. */
  readonly checkpointPresent: boolean;
  readonly preview?: string;
  /** What people would type to do the same, where the preview is no command of the target's own. */
  readonly equivalent?: string;
  readonly diff?: string;
  /** Each gate by name: approval, checkpoint, allow-list, second confirmation, executor, unchanged state. */
  readonly gates: readonly { readonly name: string; readonly ok: boolean }[];
  readonly execution?: Execution;
  readonly auditId?: string;
}

/** What somebody tells is wrong, in their words and as it was read. */
interface ToldIncident {
  readonly text: string;
  readonly service: string;
  readonly severity: Severity;
  readonly labels?: Readonly<Record<string, string>>;
}

/**
 * What the tools of the incident responder ask for. The desk alone knows stores, flows and executors; a tool shows what
 * it answers. Whatever cannot be done for a reason that people should read is thrown as an `AppError`.
 */
export interface IncidentDesk {
  /** Open backends, to be read only. */
  sources(): Promise<readonly TelemetrySources[]>;
  find(ref: IncidentRef): Promise<Incident | undefined>;
  /** Newest first. */
  list(filter: {
    readonly states?: readonly IncidentState[];
    readonly service?: string;
    readonly limit: number;
  }): Promise<readonly Incident[]>;
  /**
   * Takes in what somebody tells, as an alert would be: it opens an incident or joins one. Comes back when its evidence
   * was looked at, or when that takes too long: the incident goes on without whoever told of it.
   */
  report(
    told: ToldIncident,
    audience: Audience,
    signal: AbortSignal,
  ): Promise<{ readonly outcome: Admission['outcome']; readonly incident?: Incident; readonly why?: Text }>;
  /** Collects evidence now and diagnoses it. Opens no incident and stores nothing but what an incident already has. */
  diagnose(
    about: { readonly service: string; readonly windowMs: number },
    signal: AbortSignal,
  ): Promise<DeskDiagnosis>;
  /**
   * What the policy makes of the incident's own diagnosis, never of one that a caller brings along. Of a service without an
   * incident it collects evidence now and stores nothing.
   */
  propose(
    about: { readonly incident: Incident } | { readonly service: string; readonly windowMs: number },
    signal: AbortSignal,
  ): Promise<DeskProposal>;
  /**
   * Rehearses, which changes nothing and needs no incident; or, with `dryRun` false, hands over to the flow of the incident
   * the one action that was approved. It has to refuse unless operation, service and every parameter are those of the incident's action, the
   * approval is granted, unexpired, of this action's digest, and given through an authenticated channel, the checkpoint is
   * the one that was approved, and the state is unchanged. Without an incident there is none of these, and it refuses.
   */
  requestAction(request: ActionRequest, signal: AbortSignal): Promise<ActionAnswer>;
  /**
   * Looks at fresh evidence over the six dimensions: against the incident, or, of a service without one, against the time
   * before. Changes nothing, and closes nothing.
   */
  verify(
    about: IncidentRef & { readonly windowMs: number },
    signal: AbortSignal,
  ): Promise<{ readonly incident?: string; readonly recovery: Recovery }>;
}
