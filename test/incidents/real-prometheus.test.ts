import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startDemo } from '#demo';
import { openHost } from '#host';
import { serveHome } from '#server';
import { incidentApi, makeIncidentHome } from '#testkit/incident-home';
import { reached } from './failing-service.ts';

const PROGRAMS = ['/usr/bin/prometheus', '/usr/bin/prometheus-alertmanager'];
const SERVICE_MAIN = join(import.meta.dirname, '..', '..', 'demo', 'service-main.ts');

const spawnService = (args: string[], env: Readonly<Record<string, string>>) =>
  spawn(process.execPath, [SERVICE_MAIN, ...args], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });

describe('Prometheus and Alertmanager', () => {
  it.skipIf(!PROGRAMS.every((program) => existsSync(program)))(
    'fire a rule that opens one incident with evidence in PromQL, and its resolve closes it (needs both programs)',
    async () => {
      // Nothing is carried out here: the alert ends because the fault does.
      const home = await makeIncidentHome({
        incidents: { execute: false, lead_seconds: 8, recheck_seconds: [2] },
        services: [{ service: 'payment-service', dependencies: ['order-service', 'coupon-service'] }],
      });
      onTestFinished(() => home.remove());
      const host = await openHost({ env: home.env, version: '0.0.0' });
      onTestFinished(() => host.close());
      const token = home.token;
      const front = await serveHome(host);
      onTestFinished(() => front.close());
    },
    90_000,
  );
});
