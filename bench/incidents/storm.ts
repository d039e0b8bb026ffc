import { Agent, request } from 'node:http';
import { alertmanagerPayload, type IncidentApi, type IncidentHome } from '#testkit/incident-home';

const SERVICES = 40;
const ALERTS = 500;
const TIMES = 10;
const CONNECTIONS = 50;
const ATTEMPT_MS = 20_000;
const PAUSE_MS = 100;

const serviceAt = (n: number): string => `service-${n}`;

/** Forty services: each but the first is called by one that stands before it, and every fifth by a second one. */
export const stormServices = (): readonly object[] =>
  Array.from({ length: SERVICES }, (_, n) => {
    const called = Array.from({ length: SERVICES }, (__, other) => other).filter(
      (other) =>
        (other > 0 && Math.floor((other - 1) / 3) === n) || (other % 5 === 4 && (other * 7) % 11 === n),
    );
    return { service: serviceAt(n), dependencies: called.map(serviceAt) };
  });

/** Five hundred different alerts within two minutes, each ten times, in an order that is the same every time. */
export function stormDeliveries(now: number): readonly string[] {
  const names = ['HighErrorRate', 'HighLatency', 'PodNotReady', 'QueueGrowing', 'TargetDown'];
  const alerts = Array.from({ length: ALERTS }, (_, n) =>
    JSON.stringify(
      alertmanagerPayload([
        {
          name: names[n % names.length] ?? '',
          service: serviceAt(n % SERVICES),
          severity: n % 3 ? 'warning' : 'critical',
          labels: { instance: `10.0.${n % 8}.${n}:8080` },
          startsAt: now - (n % 120) * 1_000,
        },
      ]),
    ),
  );
  return shuffled(Array.from({ length: ALERTS * TIMES }, (_, n) => alerts[n % ALERTS] ?? ''));
}

/** Fisher and Yates, with a generator that begins at the same place every time. */
function shuffled(list: string[]): string[] {
  let seed = 20_261_115;
  for (let at = list.length - 1; at > 0; at--) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    const other = seed % (at + 1);
    [list[at], list[other]] = [list[other] ?? '', list[at] ?? ''];
  }
  return list;
}

export interface Acknowledged {
  /** How long each acknowledgement took, from the first byte sent to the last one received. */
  readonly ms: readonly number[];
  /** Deliveries that had no acknowledgement at first. */
  readonly resent: number;
}

/** Sends everything over fifty connections. What is not acknowledged is sent again, as Alertmanager does. */
export async function deliverAll(
  deliveries: readonly string[],
  url: () => Promise<string>,
  { token }: Pick<IncidentHome, 'token'>,
  onAcknowledged: (count: number, body: string) => void,
): Promise<Acknowledged> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const ms: number[] = [];
  const waiting = [...deliveries];
  let resent = 0;
  const worker = async (): Promise<void> => {
    for (let body = waiting.pop(); body !== undefined; body = waiting.pop()) {
      const base = await url();
      const began = performance.now();
      if ((await post(`${base}/gateway/alertmanager`, body, token, agent)) === 200) {
        ms.push(performance.now() - began);
        onAcknowledged(ms.length, body);
        continue;
      }
      resent++;
      waiting.unshift(body);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  agent.destroy();
  return { ms, resent };
}

/** The status of the answer, undefined where none came. */
function post(url: string, body: string, token: string, agent: Agent): Promise<number | undefined> {
  return new Promise((resolve) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      authorization: `Bearer ${token}`,
    };
    const outgoing = request(url, { method: 'POST', agent, headers, timeout: ATTEMPT_MS }, (answer) => {
      answer.resume();
      answer.once('end', () => resolve(answer.statusCode));
      answer.once('error', () => resolve(undefined));
    });
    outgoing.once('timeout', () => outgoing.destroy());
    outgoing.once('error', () => resolve(undefined));
    outgoing.end(body);
  });
}

export interface Stored {
  readonly incidents: number;
  readonly alerts: number;
  readonly lost: number;
  readonly doubled: number;
  readonly fingerprints: ReadonlySet<string>;
}

export const fingerprintIn = (delivery: string): string =>
  /"fingerprint":"([0-9a-f]+)"/.exec(delivery)?.[1] ?? '';

/** What is there after the storm, as the API tells it. */
export async function storedAlerts(api: IncidentApi): Promise<Stored> {
  const incidents = await api.incidents();
  const stored: string[] = [];
  let counted = 0;
  let told = 0;
  for (const { id, alerts } of incidents) {
    const shown = await api.incident(id);
    counted += alerts;
    told += shown.facts.filter(({ type }) => type === 'alert.normalized').length;
    for (const { fingerprint } of shown.alerts) stored.push(fingerprint);
  }
  const fingerprints = new Set(stored);
  return {
    // One that became part of another is none of its own.
    incidents: incidents.filter(({ mergedInto }) => mergedInto === undefined).length,
    alerts: fingerprints.size,
    lost: ALERTS - fingerprints.size,
    // As rows, as they are counted, and as the timelines tell of them.
    doubled: Math.max(stored.length, counted, told) - fingerprints.size,
    fingerprints,
  };
}
