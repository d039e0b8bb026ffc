import { heardIn } from '#kit/heard-in';
import type { Alert, Severity } from '#spec/data';
import { SEVERITIES } from '#spec/data';
import type { OpenIncident } from '#spec/ports';
import { placeAlert, type PlaceOptions } from './place-alert.ts';

/** An alert, and when it came in: milliseconds since the epoch. */
export interface PastAlert {
  readonly alert: Alert;
  readonly at: number;
}

interface ReplayedGroup {
  readonly id: string;
  readonly storm: boolean;
  readonly severity: Severity;
  readonly services: readonly string[];
  readonly alerts: readonly Alert[];
}

/** How long an incident is taken to be open: of a replay nobody knows when somebody would have ended it. */
const OPEN_MS = 6 * 3_600_000;

/** Which incidents alerts would make, one after the other in the order of their arrival. Nothing is stored. */
export function replayGrouping(
  past: readonly PastAlert[],
  options: Omit<PlaceOptions, 'now' | 'newId'>,
): ReplayedGroup[] {
  const groups = new Map<string, { open: OpenIncident; alerts: Alert[] }>();
  let now = 0;
  let made = 0;
  const newId = (): string => `replay_${String(++made).padStart(6, '0')}`;
  const place = placeAlert({ ...options, now: () => now, newId });
  for (const { alert, at } of past) {
    now = Math.max(now, at);
    const candidates = [...groups.values()].flatMap(({ open }) =>
      now - open.updatedAt <= OPEN_MS ? [open] : [],
    );
    const placed = place(alert, candidates);
    if (placed.to === 'nowhere') continue;
    if (placed.to === 'new') {
      groups.set(placed.id, {
        open: firstOf(placed.id, alert, now, placed.storm !== undefined),
        alerts: [alert],
      });
      continue;
    }
    const parts = [placed.id, ...(placed.merge ?? []).map(({ id }) => id)].flatMap((id) => {
      const found = groups.get(id);
      groups.delete(id);
      return found ?? [];
    });
    const [first] = parts;
    if (!first) continue;
    const alerts = [...parts.flatMap((part) => part.alerts), alert];
    const services = [
      ...parts.flatMap(({ open }) => open.services),
      ...(alert.service ? [alert.service] : []),
    ];
    groups.set(placed.id, {
      open: {
        ...first.open,
        severity: worst([...parts.map(({ open }) => open.severity), alert.severity]),
        services: [...new Set(services)],
        heard: heardBy(alerts),
        updatedAt: now,
        alerts: alerts.length,
      },
      alerts,
    });
  }
  return [...groups.values()].map(({ open: { id, kind, severity, services }, alerts }) => ({
    id,
    storm: kind === 'storm',
    severity,
    services,
    alerts,
  }));
}

const firstOf = (id: string, alert: Alert, now: number, storm: boolean): OpenIncident => ({
  id,
  title: alert.title,
  severity: alert.severity,
  state: 'investigating',
  ...(alert.service === undefined ? {} : { service: alert.service }),
  services: alert.service === undefined ? [] : [alert.service],
  heard: heardBy([alert]),
  labels: alert.labels,
  startsAt: alert.startsAt,
  createdAt: now,
  updatedAt: now,
  alerts: 1,
  firing: 1,
  ...(storm ? { kind: 'storm' as const } : {}),
});

function heardBy(alerts: readonly Alert[]): Record<string, number> {
  const heard: Record<string, number> = {};
  for (const alert of alerts)
    if (alert.service) heard[alert.service] = (heard[alert.service] ?? 0) + heardIn(alert);
  return heard;
}

const worst = (severities: readonly Severity[]): Severity =>
  SEVERITIES.find((severity) => severities.includes(severity)) ?? 'P4';
