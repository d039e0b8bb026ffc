import type { EvidenceResult, Incident, IncidentSummary, LogLine, SpanRecord } from '#spec/data';
import type {
  Demo,
  IncidentFilter,
  IncidentPage,
  Monitoring,
  NewIncident,
  Session,
  Settings,
  ShownApproval,
} from './records.ts';
import { pathOf, request, withQuery } from './request.ts';

/** Every call of the API that the console makes. */
export const api = {
  session: (signal?: AbortSignal) => request<Session>('/api/session', bySignal(signal)),
  signIn: (token: string) => request<Session>('/api/session', { method: 'POST', body: { token } }),
  signOut: () => request<void>('/api/session', { method: 'DELETE' }),

  incidents: ({ states, ...filter }: IncidentFilter, signal?: AbortSignal) =>
    request<readonly IncidentSummary[]>('/api/incidents', {
      ...bySignal(signal),
      query: { state: states?.join(','), ...filter },
    }),
  incident: (id: string, signal?: AbortSignal) =>
    request<IncidentPage>(pathOf`/api/incidents/${id}`, bySignal(signal)),
  evidence: (id: string, evidence: string, signal?: AbortSignal) =>
    request<EvidenceResult>(pathOf`/api/incidents/${id}/evidence/${evidence}`, bySignal(signal)),
  openIncident: (body: NewIncident) =>
    request<{ incident?: string; outcome?: string }>('/api/incidents', { method: 'POST', body }),
  closeIncident: (id: string, why: string) =>
    request<Incident>(pathOf`/api/incidents/${id}/close`, { method: 'POST', body: { why } }),
  lookAgain: (id: string) =>
    request<unknown>(pathOf`/api/incidents/${id}/look`, { method: 'POST', body: {} }),
  reportAddress: (id: string, format: 'html' | 'md', language: string) =>
    withQuery(pathOf`/api/incidents/${id}/report`, { format, language }),

  approvals: (all: boolean, signal?: AbortSignal) =>
    request<readonly ShownApproval[]>('/api/approvals', {
      ...bySignal(signal),
      query: { all: all ? 'true' : undefined },
    }),
  decide: (id: string, word: 'approve' | 'reject', confirmation?: string) =>
    request<ShownApproval>(`${pathOf`/api/approvals/${id}`}/${word}`, {
      method: 'POST',
      body: confirmation === undefined ? {} : { confirmation },
    }),

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
