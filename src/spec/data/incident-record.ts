import { z } from 'zod';
import { Severity } from './alert.ts';
import type { Alert } from './alert.ts';
import type { Envelope } from './event.ts';
import { CauseCategory, Rca, Reading } from './incident.ts';
import { ActionCheckpoint, Execution, Lesson, Prior, ProposedAction, Recovery, Rehearsal } from './remedy.ts';
import { Text } from './text.ts';

/**
 * `watching`: there is nothing to do but to look again. `needs_person`: Hermes cannot go on by itself. `recovered`: an
 * action ended it, and that was verified. `resolved`: the alerts went away. `closed`: somebody closed it, or it was none.
 */
export const INCIDENT_STATES = [
  'investigating',
  'watching',
  'awaiting_approval',
  'executing',
  'verifying',
  'needs_person',
  'recovered',
  'resolved',
  'closed',
] as const;
export const IncidentState = z.enum(INCIDENT_STATES);
export type IncidentState = z.infer<typeof IncidentState>;
export const ENDED_STATES: readonly IncidentState[] = ['recovered', 'resolved', 'closed'];
export const OPEN_STATES: readonly IncidentState[] = INCIDENT_STATES.filter(
  (state) => !ENDED_STATES.includes(state),
);

/** One incident as it stands. Times are milliseconds since the epoch unless they are texts. */
export const Incident = z.object({
  id: z.string(),
  title: z.string(),
  severity: Severity,
  state: IncidentState,
  /** What a person should know about the state, in one sentence. */
  note: Text.optional(),
  /** The service that the first alert names, and all that alerts have named. */
  service: z.string().optional(),
  services: z.array(z.string()),
  /** How much was heard of each service: one for an alert, more for a grave one. */
  heard: z.record(z.string(), z.number()).optional(),
  metric: z.string().optional(),
  /** Those of the first alert: alerts that name no service are grouped by them. */
  labels: z.record(z.string(), z.string()).optional(),
  source: z.string(),
  /** Who opened it, as they were authenticated. */
  openedBy: z.string().optional(),
  /** A person opened it, or told of it in words: no alert of another service joins it. */
  byHand: z.boolean().optional(),
  /** `storm`: it gathers lesser alerts that came in a flood and that nothing connects. */
  kind: z.enum(['storm']).optional(),
  /** The incident that has its alerts now. */
  mergedInto: z.string().optional(),
  startsAt: z.iso.datetime({ offset: true }),
  /** Alerts of this incident, and how many of them still fire. */
  alerts: z.number().int(),
  firing: z.number().int(),
  /** How often evidence was collected. */
  round: z.number().int(),
  rca: Rca.optional(),
  /** What a model made of the root cause that it was shown; once an incident. */
  reading: Reading.optional(),
  /** What a model wrote, after every claim without evidence was struck out. */
  explanation: z.string().optional(),
  priors: z.array(Prior).optional(),
  action: ProposedAction.optional(),
  /** What was declined or did not help: it is not proposed again. */
  tried: z.array(ProposedAction).optional(),
  /** What else could be done. */
  alternatives: z.array(ProposedAction).optional(),
  rehearsal: Rehearsal.optional(),
  checkpoint: ActionCheckpoint.optional(),
  /** The id of the request for agreement. */
  approval: z.string().optional(),
  execution: Execution.optional(),
  recovery: Recovery.optional(),
  lesson: Lesson.optional(),
  createdAt: z.number(),
  updatedAt: z.number(),
  closedAt: z.number().optional(),
});
export type Incident = z.infer<typeof Incident>;

/** An incident as lists show it. */
export const IncidentSummary = Incident.pick({
  id: true,
  title: true,
  severity: true,
  state: true,
  note: true,
  service: true,
  services: true,
  startsAt: true,
  alerts: true,
  firing: true,
  kind: true,
  mergedInto: true,
  createdAt: true,
  updatedAt: true,
  closedAt: true,
}).extend({
  verdict: Rca.shape.status.optional(),
  /** What caused it, and in which service, once that was concluded. */
  cause: CauseCategory.optional(),
  blamed: z.string().optional(),
});
export type IncidentSummary = z.infer<typeof IncidentSummary>;

/** Alerts of one name and one service that an incident holds. */
export const IncidentMember = z.object({
  name: z.string(),
  service: z.string().optional(),
  /** The worst of them. */
  severity: Severity,
  alerts: z.number().int(),
  firing: z.number().int(),
  firstAt: z.string(),
  lastAt: z.string(),
  /** Why the first of them belongs to this incident; absent for the one that opened it. */
  why: Text.optional(),
});
export type IncidentMember = z.infer<typeof IncidentMember>;

/** Everything that happens to an incident, in the past tense. Stored, replayable after a `seq`. */
export interface IncidentFacts {
  'gateway.received': { readonly source: string; readonly alerts: number };
  'alert.normalized': { readonly alert: Alert };
  'incident.created': { readonly title: string; readonly severity: Severity; readonly service?: string };
  'incident.updated': { readonly what: Text };
  'incident.closed': { readonly state: IncidentState; readonly why: Text };
  'evidence.collected': {
    readonly round: number;
    readonly series: number;
    readonly lines: number;
    readonly spans: number;
    readonly changes: number;
    /** Backends that gave nothing, and why. */
    readonly gaps: readonly Text[];
    readonly ms: number;
  };
  'rca.concluded': { readonly round: number; readonly summary: Text; readonly confidence: number };
  'rca.inconclusive': {
    readonly round: number;
    readonly summary: Text;
    readonly missing: readonly Text[];
  };
  /** A second reader was asked, and this is what became of it. */
  'rca.read': { readonly reading: Reading };
  'action.proposed': { readonly action: ProposedAction };
  'action.rehearsed': { readonly action: string; readonly preview: string; readonly allowed: boolean };
  'checkpoint.created': { readonly checkpoint: string; readonly digest: string };
  'approval.requested': { readonly approval: string; readonly digest: string; readonly expiresAt: number };
  'approval.granted': { readonly approval: string; readonly by: string; readonly channel: string };
  'approval.denied': { readonly approval: string; readonly by: string; readonly channel: string };
  'approval.expired': { readonly approval: string };
  'approval.refused': { readonly approval: string; readonly by: string; readonly why: Text };
  'execution.rehearsed': { readonly action: string; readonly same: boolean };
  'execution.refused': { readonly action: string; readonly why: Text };
  'execution.started': { readonly action: string; readonly key: string; readonly executor: string };
  'execution.finished': { readonly execution: Execution };
  'recovery.verified': { readonly recovery: Recovery };
  'recovery.failed': { readonly recovery: Recovery };
  'lesson.recorded': { readonly lesson: Lesson };
}

export type IncidentFact = Envelope<IncidentFacts>;

/** How the facts with sentences are read, also as earlier versions wrote them. */
export const FACT_SENTENCES: Partial<Readonly<Record<keyof IncidentFacts, z.ZodType>>> = {
  'incident.updated': z.looseObject({ what: Text }),
  'incident.closed': z.looseObject({ why: Text }),
  'evidence.collected': z.looseObject({ gaps: z.array(Text) }),
  'rca.concluded': z.looseObject({ summary: Text }),
  'rca.inconclusive': z.looseObject({ summary: Text, missing: z.array(Text) }),
  'rca.read': z.looseObject({ reading: Reading }),
  'action.proposed': z.looseObject({ action: ProposedAction }),
  'approval.refused': z.looseObject({ why: Text }),
  'execution.refused': z.looseObject({ why: Text }),
  'execution.finished': z.looseObject({ execution: Execution }),
  'recovery.verified': z.looseObject({ recovery: Recovery }),
  'recovery.failed': z.looseObject({ recovery: Recovery }),
};
