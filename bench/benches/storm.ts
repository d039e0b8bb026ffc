import { incidentApi, makeIncidentHome, type ServingProcess, startServing } from '#testkit/incident-home';
import { defineBench } from '../bench.ts';
import {
  deliverAll,
  fingerprintIn,
  storedAlerts,
  stormDeliveries,
  stormServices,
} from '../incidents/storm.ts';

/** Incidents are looked at once and then left alone for the time of a storm; there is no telemetry to look at. */
const HOME = {
  services: stormServices(),
  incidents: { recheck_seconds: [30, 60], execute: false, lead_seconds: 60, baseline_minutes: 10 },
};

/** Before most alerts have come a second time: a loss would show. */
const KILL_AFTER = 300;

/** A storm of alerts on a served home; then the same again with the process killed in the middle of it. */
export const bench = defineBench({
  summary: 'a storm: 5,000 webhook deliveries of 500 alerts over fifty connections, also across a kill -9',
  goals: {
    delivered: { exactly: 5_000 },
    alerts: { exactly: 500 },
    incidents: { most: 10 },
    ack_p99_ms: { most: 1_000 },
    lost: { exactly: 0 },
    doubled: { exactly: 0 },
    killed_alerts: { exactly: 500 },
    killed_lost: { exactly: 0 },
    killed_forgotten: { exactly: 0 },
    killed_doubled: { exactly: 0 },
  },
  run: async ({ say }) => {
    const plain = await weather(false);
    say(`${plain.delivered} acknowledged in ${plain.seconds} s`);
    const killed = await weather(true);
    say(`killed after ${killed.killedAt}: ${killed.resent} sent again, ${killed.seconds} s`);
    return {
      delivered: plain.delivered,
      alerts: plain.alerts,
      incidents: plain.incidents,
      ack_p50_ms: plain.p50,
      ack_p99_ms: plain.p99,
      per_second: Math.round(plain.delivered / plain.seconds),
      lost: plain.lost,
      doubled: plain.doubled,
      killed_resent: killed.resent,
      killed_alerts: killed.alerts,
      killed_incidents: killed.incidents,
      killed_lost: killed.lost,
      killed_forgotten: killed.forgotten,
      killed_doubled: killed.doubled,
    };
  },
});

async function weather(kill: boolean) {
  const home = await makeIncidentHome(HOME);
  let serving: ServingProcess | undefined;
  try {
    let current = (serving = await startServing(home));
    const api = incidentApi(() => current.url, home.token);
    const acknowledged = new Set<string>();
    let restarted: Promise<void> = Promise.resolve();
    let killedAt = 0;
    let forgotten = 0;
    /** Everything that was acknowledged has to be there afterwards, before anything is sent again. */
    const restart = async () => {
      await current.kill();
      serving = current = await startServing(home);
      const { fingerprints } = await storedAlerts(api);
      forgotten = [...acknowledged].filter((one) => !fingerprints.has(one)).length;
    };
    const deliveries = stormDeliveries(Date.now());
    const began = performance.now();
    const url = async () => {
      await restarted;
      return current.url;
    };
    const { ms, resent } = await deliverAll(deliveries, url, home, (count, body) => {
      acknowledged.add(fingerprintIn(body));
      if (!kill || killedAt || count < KILL_AFTER) return;
      killedAt = count;
      restarted = restart();
    });
    const seconds = Number(((performance.now() - began) / 1_000).toFixed(1));
    const sorted = ms.toSorted((a, b) => a - b);
    const quantile = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0);
    const times = { p50: quantile(0.5), p99: quantile(0.99) };
    return {
      ...(await storedAlerts(api)),
      ...times,
      delivered: ms.length,
      resent,
      seconds,
      killedAt,
      forgotten,
    };
  } finally {
    await serving?.kill();
    await home.remove();
  }
}
