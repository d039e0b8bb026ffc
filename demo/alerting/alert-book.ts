import { fingerprint } from './fingerprint.ts';

export interface FoundAlert {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

export interface BookedAlert extends FoundAlert {
  readonly fingerprint: string;
  readonly startsAt: number;
  readonly endsAt?: number;
}

interface Entry {
  alert: BookedAlert;
  /** Since when it has been there without a break, and when it was there last. */
  since: number;
  seen: number;
  firing: boolean;
  /** When the receiver was told last; undefined when it is to be told. */
  told: number | undefined;
}

export interface AlertBook {
  /** Takes what is wrong now. */
  update(found: readonly FoundAlert[], now: number): void;
  /** What the receiver is to be told: new, ended, and still firing after a while. */
  due(now: number): BookedAlert[];
  /** The receiver has taken these. */
  delivered(alerts: readonly BookedAlert[], now: number): void;
  firing(): BookedAlert[];
}

export interface AlertTimes {
  /** How long something must be wrong before it is an alert. */
  readonly forMs: number;
  /** How long it must be well before the alert ends. */
  readonly calmMs: number;
  readonly repeatMs: number;
}

/** From what is wrong at each moment to alerts that begin, repeat and end. */
export function createAlertBook({ forMs, calmMs, repeatMs }: AlertTimes): AlertBook {
  const entries = new Map<string, Entry>();
  return {
    update: (found, now) => {
      for (const { labels, annotations } of found) {
        const id = fingerprint(labels);
        const entry = entries.get(id);
        if (entry && entry.alert.endsAt === undefined) {
          entry.seen = now;
          entry.alert = { ...entry.alert, annotations };
        } else {
          const alert = { labels, annotations, fingerprint: id, startsAt: now };
          entries.set(id, { alert, since: now, seen: now, firing: false, told: undefined });
        }
      }
      for (const [id, entry] of entries) {
        const { alert, since, seen } = entry;
        if (!entry.firing && seen === now && now - since >= forMs) entry.firing = true;
        else if (!entry.firing && seen < now) entries.delete(id);
        else if (entry.firing && alert.endsAt === undefined && now - seen >= calmMs) {
          entry.alert = { ...alert, endsAt: now };
          entry.told = undefined;
        }
      }
    },
    due: (now) =>
      [...entries.values()]
        .filter(({ firing, told }) => firing && (told === undefined || now - told >= repeatMs))
        .map(({ alert }) => alert),
    delivered: (alerts, now) => {
      for (const { fingerprint: id, endsAt } of alerts) {
        const entry = entries.get(id);
        if (!entry || entry.alert.endsAt !== endsAt) continue;
        if (endsAt === undefined) entry.told = now;
        else entries.delete(id);
      }
    },
    firing: () =>
      [...entries.values()]
        .filter(({ firing, alert }) => firing && alert.endsAt === undefined)
        .map(({ alert }) => alert),
  };
}
