import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { spawnFromSource } from '#support/demo/spawn-service';
import { startDemo } from '../index.ts';
import { prometheusFiles } from './prometheus-files.ts';
import { ALERTMANAGER, PROMETHEUS } from './start-prometheus.ts';

const PROMTOOL = '/usr/bin/promtool';
const run = promisify(execFile);
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'demo-prometheus-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('Prometheus and Alertmanager', () => {
  it.skipIf(!existsSync(PROMTOOL))('take the files (needs promtool)', async () => {
    const ports = { services: { 'payment-service': 1234 }, prometheus: 1235, alertmanager: 1236 };
    const files = await prometheusFiles(folder, ports, {
      url: 'http://127.0.0.1:1/hook',
      token: 'open-sesame',
    });
    const { stdout } = await run(PROMTOOL, ['check', 'config', files.prometheus]);
    expect(stdout).toContain('7 rules found');
    // The token stands in it.
    expect((await stat(files.alertmanager)).mode & 0o077).toBe(0);
  });

  const missing = !existsSync(PROMETHEUS) || !existsSync(ALERTMANAGER);
  it.skipIf(missing)(
    'tell the webhook of a fault (needs Prometheus and Alertmanager)',
    async () => {
      const hook = await startHook();
      const { signal } = new AbortController();
      const { spawn } = spawnFromSource();
      const alerts = { url: hook.url, token: 'open-sesame' };
      const demo = await startDemo({ dataDir: folder, alerts, spawn, real: true, signal });
      try {
        await demo.inject('BAD_CONFIG');
        const delivery = await hook.first;
        expect(delivery.authorization).toBe('Bearer open-sesame');
        expect(delivery.body).toMatchObject({
          version: '4',
          status: 'firing',
          groupLabels: { alertname: 'HighErrorRate', service: 'payment-service' },
          alerts: [{ labels: { service: 'payment-service', code: '504', severity: 'critical' } }],
        });
        const query = 'sum by (service) (up{job="demo"})';
        const asked = await fetch(
          `${demo.prometheus?.prometheus}/api/v1/query?query=${encodeURIComponent(query)}`,
        );
        const { data } = (await asked.json()) as { data: { result: { metric: { service: string } }[] } };
        expect(data.result.map(({ metric }) => metric.service).sort()).toEqual([
          'coupon-service',
          'order-service',
          'payment-service',
        ]);
      } finally {
        await demo.close();
        hook.close();
      }
      await expect(fetch(`${demo.prometheus?.prometheus}/-/ready`)).rejects.toThrow('fetch failed');
      await expect(fetch(`${demo.prometheus?.alertmanager}/-/ready`)).rejects.toThrow('fetch failed');
    },
    60_000,
  );
});

async function startHook() {
  const { promise, resolve } = Promise.withResolvers<{ authorization: string | undefined; body: unknown }>();
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    request.on('end', () => {
      response.end();
      resolve({ authorization: request.headers.authorization, body: JSON.parse(text) });
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/gateway/alertmanager`,
    first: promise,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
