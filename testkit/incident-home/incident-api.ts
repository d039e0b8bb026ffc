import type { Alert, Incident, IncidentFact, IncidentMember } from '#spec/data';
import { PERSON } from './make-home.ts';

export interface ApiAnswer<T = unknown> {
  readonly status: number;
  readonly body: T;
}

/** A request for agreement as the API shows it. */
export interface ShownApproval {
  readonly id: string;
  readonly state: string;
  readonly incident: string;
  readonly confirm?: string;
  readonly shown: string;
}

export interface IncidentApi {
  /** A body that is text is sent as it is. */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiAnswer>;
  /** All of them, or those that a service is part of. */
  incidents(service?: string): Promise<readonly Incident[]>;
  incident(id: string): Promise<{
    readonly incident: Incident;
    readonly alerts: readonly Alert[];
    readonly members: readonly IncidentMember[];
    readonly facts: readonly IncidentFact[];
  }>;
  approvals(): Promise<readonly ShownApproval[]>;
  /** As a person, whoever's token it is otherwise. */
  approve(approval: string, confirmation?: string): Promise<ApiAnswer>;
  /** Resolves as soon as `fits` gives something; rejects when time is up. */
  until<T>(what: string, fits: () => Promise<T | undefined>, mostMs?: number): Promise<T>;
}

const LOOK_MS = 50;
const MOST_MS = 40_000;

/** The HTTP API of a served home, as whoever has this token sees it. */
export function incidentApi(url: () => string, token: string | undefined): IncidentApi {
  const send: IncidentApi['send'] = async (method, path, body, headers = {}) => {
    const answer = await fetch(`${url()}${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(MOST_MS),
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.includes('json');
    return { status: answer.status, body: isJson ? (JSON.parse(text) as unknown) : text };
  };
  const get = async <T>(path: string): Promise<T> => {
    const { status, body } = await send('GET', path);
    if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${JSON.stringify(body)}`);
    return body as T;
  };
  return {
    send,
    incidents: (service) =>
      get(
        `/api/incidents?full=true&limit=500${service === undefined ? '' : `&service=${encodeURIComponent(service)}`}`,
      ),
    incident: (id) => get(`/api/incidents/${id}`),
    approvals: () => get('/api/approvals'),
    approve: (approval, confirmation) =>
      send('POST', `/api/approvals/${approval}/approve`, confirmation === undefined ? {} : { confirmation }, {
        authorization: `Bearer ${PERSON.token}`,
      }),
    until: async (what, fits, mostMs = MOST_MS) => {
      const ends = performance.now() + mostMs;
      for (;;) {
        const found = await fits();
        if (found !== undefined) return found;
        if (performance.now() > ends) throw new Error(`in ${mostMs} ms this did not happen: ${what}`);
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      }
    },
  };
}
