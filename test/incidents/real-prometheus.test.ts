import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startDemo } from '#demo';
import { openHost } from '#host';
import { freePort } from '#kit/free-port';
import { serveHome } from '#server';
import type { Incident } from '#spec/data';
import { incidentApi, makeIncidentHome } from '#testkit/incident-home';
import { reached } from './failing-service.ts';

const PROGRAMS = ['/usr/bin/prometheus', '/usr/bin/prometheus-alertmanager'];
const SERVICE_MAIN = join(import.meta.dirname, '..', '..', 'demo', 'service-main.ts');
/** So much of a good day is compared with. */
const GOOD_MS = 15_000;

/** A query that picks some of the answers of a service by their label. */
const ERRORS = /http_server_request_duration_seconds_(?:count|bucket)\{/;

/** What Prometheus was asked for the evidence of the last round, in PromQL. */
const askedOf = ({ rca }: Incident): string =>
  (rca?.evidence ?? []).flatMap(({ source, query }) => (source === 'prometheus' ? [query] : [])).join('\n');

const spawnService = (args: string[], env: Readonly<Record<string, string>>) =>
  spawn(process.execPath, [SERVICE_MAIN, ...args], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });

describe('Prometheus and Alertmanager', () => {
  it.skipIf(!PROGRAMS.every((program) => existsSync(program)))(
    'fire a rule that opens one incident with evidence in PromQL, and its resolve closes it (needs both programs)',
    async () => {
      // Nothing is carried out: the alert ends because the fault does.
      const home = await makeIncidentHome({
        incidents: { execute: false, lead_seconds: 8, recheck_seconds: [2] },
        services: [{ service: 'payment-service', dependencies: ['order-service', 'coupon-service'] }],
      });
      onTestFinished(() => home.remove());
      // Alertmanager is told the address before the server is there.
      const port = await freePort();
      const demo = await startDemo({
        dataDir: join(home.folder, 'system'),
        alerts: { url: `http://127.0.0.1:${port}/gateway/alertmanager`, token: home.token },
        spawn: spawnService,
        real: true,
        signal: new AbortController().signal,
      });
      onTestFinished(() => demo.close());
      const began = Date.now();
      const telemetry = [
        { type: 'prometheus', base_url: demo.prometheus?.prometheus },
        { type: 'json_file', path: demo.registryFile },
      ];
      await writeFile(join(home.folder, 'backends.yaml'), JSON.stringify({ telemetry }));
      const host = await openHost({ env: home.env, version: '0.0.0' });
      onTestFinished(() => host.close());
      const served = await serveHome(host, { port });
      onTestFinished(() => served.close());
      const api = incidentApi(() => served.url, home.token);

      await api.until('a good day', async () => Date.now() - began > GOOD_MS || undefined);
      expect(await api.incidents()).toEqual([]);
      await demo.inject('PAYMENT_503_AFTER_DEPLOY');
      // Rules fire seconds apart: where the first is the one about latency, errors are seen in a later round.
      const found = await api.until('a cause that rests on errors', async () => {
        const [incident] = await api.incidents();
        return incident?.rca?.status === 'concluded' && ERRORS.test(askedOf(incident)) ? incident : undefined;
      });
      expect(found).toMatchObject({ source: 'alertmanager', service: 'payment-service' });
      expect(found.rca?.hypotheses[0]).toMatchObject({
        category: 'deploy_regression',
        service: 'payment-service',
      });

      await demo.clear();
      await reached(api, found.id, 'resolved');
      expect((await api.incidents()).map(({ id }) => id)).toEqual([found.id]);
      const { facts, alerts } = await api.incident(found.id);
      expect(alerts.every(({ status }) => status === 'resolved')).toBe(true);
      expect(facts.map(({ type }) => type)).not.toContain('execution.started');
    },
    90_000,
  );
});
