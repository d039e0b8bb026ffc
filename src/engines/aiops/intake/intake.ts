import { z } from 'zod';
import { fail } from '#kit/app-error';
import { Alert } from '#spec/data';
import type { Admission, IncidentStore, OpenIncident, Placement, ToldBy } from '#spec/ports';
import { boundAlert, type IntakeLimits, USUAL_LIMITS } from './bound-alert.ts';

/** Alerts that came in one request. They are read anew here: not every way in has read them before. */
export interface Delivery {
  readonly source: string;
  readonly alerts: readonly unknown[];
  /** Who sent it, where a person did, as they were authenticated. */
  readonly by?: string;
  readonly told?: ToldBy;
}

export interface IntakeDeps {
  readonly store: Pick<IncidentStore, 'admit'>;
  readonly place: (alert: Alert, open: readonly OpenIncident[], told?: ToldBy) => Placement;
  readonly now: () => number;
  readonly limits?: Partial<IntakeLimits>;
}

const Alerts = z.array(Alert);

/**
 * Takes a delivery in, whole or not at all: checked, bounded, free of what could deceive a reader. What is given for
 * each alert is on disk. The same delivery again changes nothing.
 */
export async function intake(
  { source, alerts, by, told }: Delivery,
  { store, place, now, limits }: IntakeDeps,
): Promise<readonly Admission[]> {
  const bounds = { ...USUAL_LIMITS, ...limits };
  if (alerts.length > bounds.alerts)
    throw fail(
      'input.too_large',
      `The delivery has ${alerts.length} alerts; ${bounds.alerts} is the most.`,
      `Send fewer at once: in Alertmanager, set max_alerts: ${bounds.alerts} or group by more labels.`,
    );
  const read = Alerts.safeParse(alerts);
  if (!read.success) throw unreadable(read.error);
  if (read.data.length === 0) return [];
  const at = now();
  const bounded = read.data.map((alert) => boundAlert(alert, bounds, at));
  return store.admit(
    { source, alerts: bounded, ...(by === undefined ? {} : { by }), ...(told === undefined ? {} : { told }) },
    place,
    at,
  );
}

function unreadable({ issues }: z.ZodError) {
  const [issue] = issues;
  const [index = 0, ...path] = issue?.path ?? [];
  const place = ['alerts', `[${String(index)}]`, ...path.map((part) => `.${String(part)}`)].join('');
  return fail('input.invalid', `${place}: ${issue?.message ?? 'it cannot be read'}.`);
}
