import { z } from 'zod';
import {
  Alert,
  Approval,
  EvidenceResult,
  InboxMessage,
  Incident,
  INCIDENT_STATES,
  type IncidentFact,
  IncidentMember,
  IncidentSummary,
  ProposedAction,
  SEVERITIES,
} from '#spec/data';
import { defineContracts } from './contract.ts';
import { factOf } from './fact.ts';
import { flag, language, listOf, text, upTo, whole } from './query.ts';

const MOST_LISTED = 500;

/** Every kind of fact: a stream gives each under its own name. */
const FACTS: Readonly<Record<IncidentFact['type'], true>> = {
  'gateway.received': true,
  'alert.normalized': true,
  'incident.created': true,
  'incident.updated': true,
  'incident.closed': true,
  'evidence.collected': true,
  'rca.concluded': true,
  'rca.inconclusive': true,
  'rca.read': true,
  'action.proposed': true,
  'action.rehearsed': true,
  'checkpoint.created': true,
  'approval.requested': true,
  'approval.granted': true,
  'approval.denied': true,
  'approval.expired': true,
  'approval.refused': true,
  'execution.rehearsed': true,
  'execution.refused': true,
  'execution.started': true,
  'execution.finished': true,
  'recovery.verified': true,
  'recovery.failed': true,
  'lesson.recorded': true,
};
const FACT_TYPES = Object.keys(FACTS);
const Fact = factOf<IncidentFact>(FACT_TYPES);

const IncidentPage = z.object({
  incident: Incident,
  /** As they were delivered last; of very many the first and the last. */
  alerts: z.array(Alert),
  /** All of them, by name and service, and why they belong here. */
  members: z.array(IncidentMember),
  facts: z.array(Fact),
});
export type IncidentPage = z.infer<typeof IncidentPage>;

const NewIncident = z.strictObject({
  title: z.string().min(1).max(500),
  service: z.string().max(200).optional(),
  severity: z.enum(SEVERITIES).default('P3'),
  metric: z.string().max(200).optional(),
  labels: z.record(z.string(), z.string()).default({}),
  annotations: z.record(z.string(), z.string()).default({}),
  startsAt: z.iso.datetime({ offset: true }).optional(),
});
export type NewIncident = z.input<typeof NewIncident>;

export const Decision = z.strictObject({ confirmation: z.string().max(200).optional() }).prefault({});

/** What an action of an incident is agreed to with. */
export const ApprovalInput = z.looseObject({
  incident: z.string().optional(),
  action: ProposedAction.optional(),
  preview: z.string().optional(),
  diff: z.string().optional(),
  checkpoint: z.string().optional(),
});

/** A request for agreement, with what a person needs to decide. */
const ShownApproval = Approval.omit({ action: true, requester: true }).extend({
  shown: z.string(),
  input: ApprovalInput,
  incident: z.string(),
});
export type ShownApproval = z.infer<typeof ShownApproval>;

const learn = z.boolean().default(true).describe('whether the two services are treated alike from now on');
const MovedAlerts = z.strictObject({
  service: z.string().max(200).optional().describe('the alerts of this service'),
  alert: z.string().max(300).optional().describe('the alerts of this name'),
  into: z.string().min(1).max(200).optional().describe('where to; a new incident where it is left out'),
  learn,
});
export type MovedAlerts = z.input<typeof MovedAlerts>;

/** What somebody said of two services by merging, splitting or moving. */
const GroupingRule = z.object({
  id: z.string(),
  services: z.tuple([z.string(), z.string()]).readonly(),
  verdict: z.enum(['together', 'apart']),
  by: z.string(),
  at: z.number(),
});

const LISTED = 'at most so many, 50 unless said otherwise';
const approvalDecision = {
  method: 'POST',
  access: 'approve',
  body: Decision,
  answer: ShownApproval,
} as const;

export const INCIDENTS = defineContracts({
  list: {
    method: 'GET',
    path: '/api/incidents',
    access: 'read',
    summary: 'Incidents, newest first',
    query: z.object({
      state: listOf(INCIDENT_STATES).optional().describe('in one of these states, with commas between'),
      service: text().describe('of this service'),
      text: text().describe('with this in them'),
      from: whole(0).optional().describe('made from then on, in milliseconds since the epoch'),
      before: whole().optional().describe('made before this, in milliseconds since the epoch'),
      limit: upTo(MOST_LISTED, 50).describe(LISTED),
      full: flag().describe('`true`: whole records, with verdicts and evidence'),
    }),
    answer: z.array(z.union([Incident, IncidentSummary])),
  },
  open: {
    method: 'POST',
    path: '/api/incidents',
    access: 'write',
    summary: 'Open an incident by hand',
    body: NewIncident,
    status: 201,
    answer: z.object({ incident: z.string().optional(), outcome: z.string().optional() }),
  },
  show: {
    method: 'GET',
    path: '/api/incidents/:id',
    access: 'read',
    summary: 'An incident with its alerts and its timeline',
    answer: IncidentPage,
  },
  evidence: {
    method: 'GET',
    path: '/api/incidents/:id/evidence/:evidence',
    access: 'read',
    summary: 'What a piece of evidence rests on',
    answer: EvidenceResult,
  },
  report: {
    method: 'GET',
    path: '/api/incidents/:id/report',
    access: 'read',
    summary: 'The post-mortem',
    query: z.object({
      format: z.enum(['html', 'md']).default('md').catch('md').describe('html or md'),
      language: language(),
    }),
    files: ['text/markdown', 'text/html'],
  },
  close: {
    method: 'POST',
    path: '/api/incidents/:id/close',
    access: 'write',
    summary: 'Close an incident by hand',
    body: z.strictObject({ why: z.string().min(1).max(500) }),
    answer: Incident,
  },
  merge: {
    method: 'POST',
    path: '/api/incidents/:id/merge',
    access: 'write',
    summary: 'Make an incident part of another',
    body: z.strictObject({ into: z.string().min(1).max(200), learn }),
    answer: Incident,
  },
  move: {
    method: 'POST',
    path: '/api/incidents/:id/move',
    access: 'write',
    summary: 'Take alerts out of an incident, into another or a new one',
    body: MovedAlerts,
    answer: Incident,
  },
  groupingRules: {
    method: 'GET',
    path: '/api/grouping-rules',
    access: 'read',
    summary: 'What was learned from merging, splitting and moving',
    answer: z.array(GroupingRule),
  },
  removeGroupingRule: {
    method: 'DELETE',
    path: '/api/grouping-rules/:id',
    access: 'write',
    summary: 'Forget a rule of grouping',
    answer: z.object({ removed: z.boolean() }),
  },
  look: {
    method: 'POST',
    path: '/api/incidents/:id/look',
    access: 'write',
    summary: 'Have it looked at again now',
    status: 202,
    answer: z.object({ looking: z.boolean() }),
  },
  inbox: {
    method: 'GET',
    path: '/api/inbox',
    access: 'read',
    summary: 'What people wrote in channels, newest first',
    query: z.object({
      all: flag().describe('`true`: also what was answered'),
      limit: upTo(MOST_LISTED, 50).describe(LISTED),
    }),
    answer: z.array(InboxMessage),
  },
  approvals: {
    method: 'GET',
    path: '/api/approvals',
    access: 'read',
    summary: 'Requests for agreement',
    query: z.object({ all: flag().describe('`true`: also those that were decided') }),
    answer: z.array(ShownApproval),
  },
  approve: {
    ...approvalDecision,
    path: '/api/approvals/:id/approve',
    person: true,
    summary: 'approve what an incident proposes',
  },
  reject: {
    ...approvalDecision,
    path: '/api/approvals/:id/reject',
    person: false,
    summary: 'reject what an incident proposes',
  },
  events: {
    method: 'GET',
    path: '/api/events',
    access: 'read',
    summary: 'Every new fact of every incident as server-sent events',
    query: z.object({ after: text().describe('the place to go on from') }),
    events: Object.fromEntries(FACT_TYPES.map((type) => [type, Fact])),
  },
});
