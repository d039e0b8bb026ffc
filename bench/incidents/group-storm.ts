import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openIncidentDatabase } from '#adapters/store';
import { intake, placeAlert } from '#engines/aiops';
import type { Topology } from '#spec/data';
import type { Storm } from '#testkit/simulator';

/** A sender gathers alerts for so long. */
const GATHER_MS = 2_000;
const MOST = 500;

/** Takes a storm in as it came, and gives the incident in which each alert is at the end. */
export async function groupStorm(
  { alerts }: Storm,
  topology: Topology,
): Promise<(fingerprint: string) => string> {
  const folder = await mkdtemp(join(tmpdir(), 'hermes-grouping-'));
  const { incidents: store, close } = await openIncidentDatabase(join(folder, 'incidents.db'));
  try {
    let now = 0;
    let made = 0;
    const place = placeAlert({
      topology,
      maintenance: [],
      now: () => now,
      newId: () => `inc_${String(++made).padStart(5, '0')}`,
    });
    const where = new Map<string, string>();
    const into = new Map<string, string>();
    for (let from = 0; from < alerts.length; ) {
      const end = (alerts[from]?.at ?? 0) + GATHER_MS;
      let until = from;
      while (until < alerts.length && until - from < MOST && (alerts[until]?.at ?? 0) <= end) until++;
      now = Math.max(now, alerts[until - 1]?.at ?? 0);
      const delivery = {
        source: 'alertmanager',
        alerts: alerts.slice(from, until).map(({ alert }) => alert),
      };
      for (const { fingerprint, incident = '', merged = [] } of await intake(delivery, {
        store,
        place,
        now: () => now,
      })) {
        where.set(fingerprint, incident);
        for (const other of merged) into.set(other, incident);
      }
      from = until;
    }
    const last = (id: string): string => {
      const next = into.get(id);
      return next === undefined ? id : last(next);
    };
    return (fingerprint) => last(where.get(fingerprint) ?? '');
  } finally {
    await close();
    await rm(folder, { recursive: true, force: true });
  }
}
