import type { NewIncident } from '#spec/api';
import type { LogLine, SpanRecord } from '#spec/data';
import type { Language } from '../language/define-text.ts';
import type { Demo, IncidentFilter, Monitoring, Session, Settings } from './records.ts';
import { addressOf, ask } from './ask.ts';
import { request } from './request.ts';

/** Every call of the API that the console makes. */
export const api = {
  session: (signal?: AbortSignal) => request<Session>('/api/session', bySignal(signal)),
  signIn: (token: string) => request<Session>('/api/session', { method: 'POST', body: { token } }),
  signOut: () => request<void>('/api/session', { method: 'DELETE' }),

  incidents: ({ states, ...filter }: IncidentFilter, signal?: AbortSignal) =>
    ask('GET /api/incidents', { query: { state: states?.join(','), ...filter }, signal }),
  incident: (id: string, signal?: AbortSignal) => ask('GET /api/incidents/:id', { params: { id }, signal }),
  evidence: (id: string, evidence: string, signal?: AbortSignal) =>
    ask('GET /api/incidents/:id/evidence/:evidence', { params: { id, evidence }, signal }),
  openIncident: (body: NewIncident) => ask('POST /api/incidents', { body }),
  closeIncident: (id: string, why: string) =>
    ask('POST /api/incidents/:id/close', { params: { id }, body: { why } }),
  lookAgain: (id: string) => ask('POST /api/incidents/:id/look', { params: { id } }),
  reportAddress: (id: string, format: 'html' | 'md', language: Language) =>
    addressOf('GET /api/incidents/:id/report', { params: { id }, query: { format, language } }),

  approvals: (all: boolean, signal?: AbortSignal) => ask('GET /api/approvals', { query: { all }, signal }),
  decide: (id: string, word: 'approve' | 'reject', confirmation?: string) =>
    ask(`POST /api/approvals/:id/${word}`, { params: { id }, body: { confirmation } }),

  monitoring: (minutes: number, signal?: AbortSignal) =>
    request<Monitoring>('/api/monitoring', { ...bySignal(signal), query: { minutes } }),
  logs: (query: { service?: string; text?: string; minutes: number; limit: number }, signal?: AbortSignal) =>
    request<readonly LogLine[]>('/api/monitoring/logs', { ...bySignal(signal), query }),
  traces: (query: { service?: string; errors?: boolean; minutes: number }, signal?: AbortSignal) =>
    request<readonly SpanRecord[]>('/api/monitoring/traces', { ...bySignal(signal), query }),

  settings: (signal?: AbortSignal) => request<Settings>('/api/settings', bySignal(signal)),

  demo: (signal?: AbortSignal) => request<Demo>('/api/demo', bySignal(signal)),
  injectFault: (fault: string) => request<unknown>('/api/demo/inject', { method: 'POST', body: { fault } }),
  clearFault: () => request<unknown>('/api/demo/clear', { method: 'POST', body: {} }),
};

const bySignal = (signal: AbortSignal | undefined) => (signal ? { signal } : {});
