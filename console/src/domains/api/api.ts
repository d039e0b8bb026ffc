import type { MovedAlerts, NewIncident } from '#spec/api';
import type { IncidentState } from '#spec/data';
import type { Language } from '#kit/language';
import { addressOf, ask } from './ask.ts';

export interface IncidentFilter {
  readonly states?: readonly IncidentState[];
  readonly service?: string;
  readonly text?: string;
  readonly from?: number;
  readonly before?: number;
  readonly limit?: number;
}

/** What the pages of incidents and monitoring ask for. */
export const api = {
  session: (signal?: AbortSignal) => ask('GET /api/session', { signal }),
  signIn: (token: string) => ask('POST /api/session', { body: { token } }),
  signOut: () => ask('DELETE /api/session'),

  incidents: ({ states, ...filter }: IncidentFilter, signal?: AbortSignal) =>
    ask('GET /api/incidents', { query: { state: states?.join(','), ...filter }, signal }),
  incident: (id: string, signal?: AbortSignal) => ask('GET /api/incidents/:id', { params: { id }, signal }),
  evidence: (id: string, evidence: string, signal?: AbortSignal) =>
    ask('GET /api/incidents/:id/evidence/:evidence', { params: { id, evidence }, signal }),
  openIncident: (body: NewIncident) => ask('POST /api/incidents', { body }),
  closeIncident: (id: string, why: string) =>
    ask('POST /api/incidents/:id/close', { params: { id }, body: { why } }),
  mergeIncident: (id: string, into: string, learn: boolean) =>
    ask('POST /api/incidents/:id/merge', { params: { id }, body: { into, learn } }),
  moveAlerts: (id: string, body: MovedAlerts) =>
    ask('POST /api/incidents/:id/move', { params: { id }, body }),
  lookAgain: (id: string) => ask('POST /api/incidents/:id/look', { params: { id } }),
  reportAddress: (id: string, format: 'html' | 'md', language: Language) =>
    addressOf('GET /api/incidents/:id/report', { params: { id }, query: { format, language } }),

  approvals: (all: boolean, signal?: AbortSignal) => ask('GET /api/approvals', { query: { all }, signal }),
  decide: (id: string, word: 'approve' | 'reject', confirmation?: string) =>
    ask(`POST /api/approvals/:id/${word}`, { params: { id }, body: { confirmation } }),

  monitoring: (minutes: number, signal?: AbortSignal) =>
    ask('GET /api/monitoring', { query: { minutes }, signal }),
  logs: (query: { service?: string; text?: string; minutes: number; limit: number }, signal?: AbortSignal) =>
    ask('GET /api/monitoring/logs', { query, signal }),
  traces: (query: { service?: string; errors?: boolean; minutes: number }, signal?: AbortSignal) =>
    ask('GET /api/monitoring/traces', { query, signal }),

  settings: (signal?: AbortSignal) => ask('GET /api/settings', { signal }),

  demo: (signal?: AbortSignal) => ask('GET /api/demo', { signal }),
  injectFault: (fault: string) => ask('POST /api/demo/inject', { body: { fault } }),
  clearFault: () => ask('POST /api/demo/clear'),
};
