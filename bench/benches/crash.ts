import { writeFile } from 'node:fs/promises';
import { defineBench } from '../bench.ts';
import { crashWave } from '../incidents/crash-wave.ts';
import { openCrashWorld } from '../incidents/crash-world.ts';
import { killPlan, WAVES } from '../incidents/kill-points.ts';

const AT_ONCE = 3;
const INCIDENTS = WAVES * AT_ONCE;

/** Incidents through approval and execution, with `kill -9` at every stage boundary and inside the effect. */
export const bench = defineBench({
  summary: 'kill -9 at every boundary of an incident and inside its action: how often the target was changed',
  goals: {
    kills: { least: 4 * WAVES },
    incidents: { exactly: INCIDENTS },
    executions: { exactly: INCIDENTS },
    lost: { exactly: 0 },
    doubled: { exactly: 0 },
    // The platform would do a known key only once; it must not come to that.
    repeated_orders: { exactly: 0 },
  },
  run: async ({ say, out }) => {
    const waves = Array.from({ length: WAVES }, (_, wave) =>
      Array.from({ length: AT_ONCE }, (__, n) => `shop-${wave}-${n}`),
    );
    const world = await openCrashWorld(waves.flat());
    const began = performance.now();
    const rows: { service: string; state: string; effects: number; note: string }[] = [];
    let kills = 0;
    let reconciled = 0;
    try {
      for (const [wave, services] of waves.entries()) {
        const { killed, incidents } = await crashWave(world, services, killPlan(wave));
        kills += killed.length;
        reconciled += incidents.filter((incident) => incident?.execution?.reconciled).length;
        for (const [n, service] of services.entries()) {
          const incident = incidents[n];
          const effects = world.effects.filter((key) => incident && key.startsWith(`${incident.id}:`)).length;
          rows.push({
            service,
            state: incident?.lesson ? incident.state : `${incident?.state ?? 'absent'}, not over`,
            effects,
            note: incident?.note?.en ?? '',
          });
        }
        say(
          `wave ${wave + 1}: killed at ${killed.join(', ')}; ${rows
            .slice(-AT_ONCE)
            .map(({ state }) => state)
            .join(', ')}`,
        );
      }
      if (out) await writeFile(out, `${JSON.stringify(rows, undefined, 2)}\n`);
      return {
        kills,
        incidents: (await world.api.incidents()).length,
        executions: world.effects.length,
        lost: rows.filter(({ state, effects }) => state !== 'recovered' || effects === 0).length,
        doubled: rows.filter(({ effects }) => effects > 1).length,
        found_out_afterwards: reconciled,
        repeated_orders: world.repeated(),
        seconds: Math.round((performance.now() - began) / 1_000),
      };
    } finally {
      await world.close();
    }
  },
});
