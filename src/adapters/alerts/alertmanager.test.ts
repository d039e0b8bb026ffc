import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fingerprintOf } from '#kit/alert-labels';
import { freePort } from '#kit/free-port';
import type { Received } from '#spec/ports';
import { codeOf, testPlace, testRequest } from '#testkit/alert-request';
import { alertSource } from './alertmanager.ts';

const PROGRAM = '/usr/bin/prometheus-alertmanager';

const firing = {
  status: 'firing',
  labels: { alertname: 'HighErrorRate', service: 'payment-service', severity: 'critical' },
  annotations: { summary: 'payment-service answers 503' },
  startsAt: '2026-08-01T10:00:00.123456789Z',
  endsAt: '0001-01-01T00:00:00Z',
  generatorURL:
    'http://prometheus.example/graph?g0.expr=rate%28http_requests_total%5B1m%5D%29+%3E+1&g0.tab=1',
  fingerprint: 'c5f41e0b7a1b2c3d',
};
const delivery = (...alerts: object[]) => ({
  version: '4',
  groupKey: '{}:{alertname="HighErrorRate"}',
  truncatedAlerts: 0,
  status: 'firing',
  receiver: 'hermes',
  groupLabels: {},
  commonLabels: {},
  commonAnnotations: {},
  externalURL: 'http://alertmanager.example',
  alerts,
});
const receive = (body: string | object) => alertSource.receive(testRequest({ body }), testPlace());

describe('alertmanager', () => {
  it('reads an alert in our own words', async () => {
    expect(await receive(delivery(firing))).toEqual({
      kind: 'alerts',
      alerts: [
        {
          fingerprint: 'c5f41e0b7a1b2c3d',
          source: 'alertmanager',
          status: 'firing',
          title: 'payment-service answers 503',
          severity: 'P1',
          service: 'payment-service',
          metric: 'http_requests_total',
          labels: firing.labels,
          annotations: firing.annotations,
          startsAt: '2026-08-01T10:00:00.123Z',
          link: firing.generatorURL,
        },
      ],
    });
  });

  it('reads a group with a resolved alert, and makes the fingerprint that is absent', async () => {
    const { fingerprint: _, ...resolved } = {
      ...firing,
      status: 'resolved',
      startsAt: '2026-08-01T18:00:00+08:00',
      endsAt: '2026-08-01T10:05:00Z',
    };
    const received = (await receive(delivery(firing, resolved))) as Extract<Received, { kind: 'alerts' }>;
    expect(received.alerts.map(({ status }) => status)).toEqual(['firing', 'resolved']);
    expect(received.alerts[1]).toMatchObject({
      fingerprint: fingerprintOf(firing.labels),
      startsAt: '2026-08-01T10:00:00.000Z',
      endsAt: '2026-08-01T10:05:00.000Z',
    });
  });

  it('gives the same for the same delivery again', async () =>
    expect(await receive(delivery(firing))).toEqual(await receive(delivery(firing))));

  it.each([
    ['not JSON', '{"version":"4",'],
    ['not UTF-8', new Uint8Array([0x7b, 0xff, 0x7d])],
    ['another version', { ...delivery(firing), version: '3' }],
    ['no alerts', { version: '4' }],
    ['an alert without a status', delivery({ ...firing, status: 'maybe' })],
    ['a label that is no text', delivery({ ...firing, labels: { a: { b: 1 } } })],
    ['a time that is none', delivery({ ...firing, startsAt: 'yesterday' })],
  ])('refuses %s', async (_, body) => expect(await codeOf(receive(body))).toBe('input.invalid'));

  it('names the place that does not fit', async () =>
    expect(receive(delivery(firing, { ...firing, startsAt: 'yesterday' }))).rejects.toThrow(
      /alerts\[1\]\.startsAt/,
    ));

  it('refuses what is too large', async () =>
    expect(await codeOf(receive(' '.repeat(8_000_001)))).toBe('input.too_large'));

  it.skipIf(!existsSync(PROGRAM))(
    'understands a real Alertmanager, and its fingerprints (needs Debian prometheus-alertmanager)',
    async () => {
      const labels = { alertname: 'Écho', service: 'payment-service', severity: 'page' };
      const seen = await realDeliveries(labels);
      const [first, last] = await Promise.all(
        seen.map(async (body) => (await receive(body)) as Extract<Received, { kind: 'alerts' }>),
      );
      const fingerprint = fingerprintOf(labels);
      expect(first?.alerts).toMatchObject([{ status: 'firing', fingerprint, severity: 'P1', labels }]);
      expect(first?.alerts[0]).not.toHaveProperty('endsAt');
      expect(last?.alerts).toMatchObject([{ status: 'resolved', fingerprint }]);
      expect(last?.alerts[0]).toHaveProperty('endsAt');
    },
    60_000,
  );
});

/** What a real Alertmanager sends when an alert comes and goes. */
async function realDeliveries(labels: Readonly<Record<string, string>>): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'alertmanager-'));
  const bodies: string[] = [];
  const waiting: (() => void)[] = [];
  const hook = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      bodies.push(Buffer.concat(chunks).toString('utf8'));
      response.end();
      for (const wake of waiting.splice(0)) wake();
    });
  });
  await once(hook.listen(0, '127.0.0.1'), 'listening');
  const [port, { port: hookPort }] = [await freePort(), hook.address() as AddressInfo];
  await writeFile(
    join(folder, 'alertmanager.yml'),
    `route: {receiver: hermes, group_wait: 10ms, group_interval: 100ms}
receivers:
  - name: hermes
    webhook_configs: [{url: 'http://127.0.0.1:${hookPort}/', send_resolved: true}]
`,
  );
  const child = spawn(
    PROGRAM,
    [
      `--config.file=${join(folder, 'alertmanager.yml')}`,
      `--storage.path=${folder}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--cluster.listen-address=',
      '--log.level=error',
    ],
    { stdio: 'ignore' },
  );
  const post = async (endsAt?: string): Promise<void> => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v2/alerts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([{ labels, startsAt: new Date(Date.now() - 60_000).toISOString(), endsAt }]),
    });
    expect(response.status).toBe(200);
  };
  const delivered = async (count: number): Promise<void> => {
    while (bodies.length < count) await new Promise<void>((resolve) => void waiting.push(resolve));
  };
  try {
    await answering(`http://127.0.0.1:${port}/-/ready`);
    await post();
    await delivered(1);
    await post(new Date(Date.now() - 1000).toISOString());
    await delivered(2);
    return bodies.slice(0, 2);
  } finally {
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
    hook.closeAllConnections();
    hook.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function answering(url: string): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    const isUp = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return;
    await new Promise((resolve) => void setTimeout(resolve, 50));
  }
  throw new Error(`${url} does not answer`);
}
