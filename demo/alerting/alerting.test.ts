import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createAlertBook } from './alert-book.ts';
import { ALERT_RULES } from './alert-rule.ts';
import { fingerprint } from './fingerprint.ts';
import { parseMetrics } from './parse-metrics.ts';
import { viewOf } from './service-view.ts';
import { deliver, webhookPayload } from './webhook.ts';

const labels = { alertname: 'HighErrorRate', service: 'payment-service', severity: 'critical', code: '503' };
const found = { labels, annotations: { summary: 'bad', description: 'numbers' } };
const times = { forMs: 2_000, calmMs: 3_000, repeatMs: 30_000 };

describe('fingerprint', () => {
  it('is the one that Alertmanager gives, whatever the order of labels', () => {
    // FNV-1a of `a 0xff b 0xff`, and of nothing.
    expect(fingerprint({})).toBe('cbf29ce484222325');
    expect(fingerprint({ b: '2', a: '1' })).toBe(fingerprint({ a: '1', b: '2' }));
    expect(fingerprint({ a: '1' })).not.toBe(fingerprint({ a: '2' }));
  });
});

describe('the alert book', () => {
  it('begins after a while, repeats, and ends after a calm', () => {
    const book = createAlertBook(times);
    book.update([found], 0);
    book.update([found], 1_000);
    expect(book.due(1_000)).toEqual([]);
    book.update([found], 2_000);
    const [alert] = book.due(2_000);
    expect(alert).toMatchObject({ labels, startsAt: 0, fingerprint: fingerprint(labels) });
    book.delivered(alert ? [alert] : [], 2_000);
    expect(book.due(31_000)).toEqual([]);
    book.update([found], 32_000);
    expect(book.due(32_000)).toHaveLength(1);
    book.delivered(book.due(32_000), 32_000);
    book.update([], 34_000);
    expect(book.firing()).toHaveLength(1);
    book.update([], 35_000);
    expect(book.due(35_000)).toMatchObject([{ startsAt: 0, endsAt: 35_000 }]);
    book.delivered(book.due(35_000), 35_000);
    expect(book.due(99_000)).toEqual([]);
  });

  it('forgets what was wrong for a moment, and tells again what was not taken', () => {
    const book = createAlertBook(times);
    book.update([found], 0);
    book.update([], 1_000);
    book.update([found], 2_000);
    expect(book.due(2_000)).toEqual([]);
    book.update([found], 4_000);
    expect(book.due(4_000)).toHaveLength(1);
    expect(book.due(5_000)).toHaveLength(1);
  });
});

const scrapeText = (good: number, bad: number, started = 0): string => `# HELP x
http_server_request_duration_seconds_bucket{le="0.1",service="s",version="v1",code="200"} ${good}
http_server_request_duration_seconds_bucket{le="1",service="s",version="v1",code="200"} ${good + bad}
http_server_request_duration_seconds_bucket{le="+Inf",service="s",version="v1",code="200"} ${good + bad}
http_server_request_duration_seconds_count{service="s",version="v1",code="200"} ${good}
http_server_request_duration_seconds_count{service="s",version="v1",code="503"} ${bad}
process_restarts{service="s"} ${started}
`;

describe('a view of a service', () => {
  const scrape = (at: number, good: number, bad: number) => ({
    at,
    samples: parseMetrics(scrapeText(good, bad)),
  });

  it('has rates by code and a percentile of the window only', () => {
    const view = viewOf([scrape(0, 1_000, 0), scrape(10_000, 1_080, 20)]);
    expect(view.rps).toBeCloseTo(10);
    expect(view.byCode['503']).toBeCloseTo(2);
    expect(view.p95Ms).toBeGreaterThan(700);
    expect(view.p95Ms).toBeLessThan(1_000);
  });

  it('takes a counter that fell for a new process, and a missing answer for being down', () => {
    const view = viewOf([scrape(0, 1_000, 0), { at: 5_000, samples: undefined }, scrape(10_000, 50, 0)]);
    expect(view.rps).toBeCloseTo(5);
    expect(view.up).toBeCloseTo(2 / 3);
  });

  it('is judged by the rules with numbers', () => {
    const view = viewOf([scrape(0, 0, 0), scrape(10_000, 80, 20)]);
    const judged = ALERT_RULES.flatMap((rule) =>
      rule.find('s', view).map((one) => [rule.name, one.description]),
    );
    expect(judged).toEqual([
      ['HighErrorRate', '20 % of 10.0 requests/s end with HTTP 503.'],
      ['HighLatencyP95', 'The 95th percentile is 775 ms, above 300 ms.'],
    ]);
  });
});

describe('the webhook', () => {
  const alert = { ...found, fingerprint: fingerprint(labels), startsAt: 0 };

  it('carries version 4 of Alertmanager, with the token in the header alone', async () => {
    const seen: { authorization: string | undefined; body: string }[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      request.on('end', () => {
        seen.push({ authorization: request.headers.authorization, body });
        response.writeHead(seen.length === 1 ? 200 : 503).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/gateway/alertmanager`;
    const { signal } = new AbortController();
    const target = { url, token: 'open-sesame' };
    expect(await deliver(target, webhookPayload([alert]), signal)).toBeUndefined();
    expect(await deliver(target, webhookPayload([{ ...alert, endsAt: 5_000 }]), signal)).toContain('503');
    server.close();
    expect(seen[0]?.authorization).toBe('Bearer open-sesame');
    expect(seen[0]?.body).not.toContain('open-sesame');
    expect(JSON.parse(seen[0]?.body ?? '')).toMatchObject({
      version: '4',
      status: 'firing',
      groupLabels: { alertname: 'HighErrorRate', service: 'payment-service' },
      alerts: [{ status: 'firing', labels, startsAt: '1970-01-01T00:00:00.000Z' }],
    });
    expect(JSON.parse(seen[1]?.body ?? '')).toMatchObject({
      status: 'resolved',
      alerts: [{ status: 'resolved', endsAt: '1970-01-01T00:00:05.000Z' }],
    });
    expect(await deliver(target, {}, signal)).toBeDefined();
  });
});
