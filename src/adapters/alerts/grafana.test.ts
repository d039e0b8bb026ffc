import { describe, expect, it } from 'vitest';
import { codeOf, testPlace, testRequest } from '#testkit/alert-request';
import { alertSource } from './grafana.ts';

const alert = {
  status: 'firing',
  labels: {
    alertname: 'DatasourceNoData',
    rulename: 'Latency',
    grafana_folder: 'shop',
    app: 'order-service',
  },
  annotations: null,
  startsAt: '2026-08-01T10:00:00Z',
  endsAt: '0001-01-01T00:00:00Z',
  values: { B: 22.5, C: null },
  generatorURL: 'https://grafana.example/alerting/1/edit',
  fingerprint: '57c6d9296de2ad39',
  silenceURL: 'https://grafana.example/silence',
  dashboardURL: 'https://grafana.example/d/abc',
  panelURL: '',
};
const receive = (body: string | object) => alertSource.receive(testRequest({ body }), testPlace());

describe('grafana', () => {
  it('reads an alert with its numbers and the page to look at', async () => {
    expect(await receive({ receiver: 'hermes', orgId: 1, version: '1', alerts: [alert] })).toEqual({
      kind: 'alerts',
      alerts: [
        {
          fingerprint: '57c6d9296de2ad39',
          source: 'grafana',
          status: 'firing',
          title: 'Latency: order-service',
          severity: 'P3',
          service: 'order-service',
          labels: alert.labels,
          annotations: { values: 'B=22.5' },
          startsAt: '2026-08-01T10:00:00.000Z',
          link: 'https://grafana.example/d/abc',
        },
      ],
    });
  });

  it.each([
    ['not JSON', 'x'],
    ['a list', '[]'],
    ['an alert without labels that are texts', { alerts: [{ ...alert, labels: { a: 1 } }] }],
  ])('refuses %s', async (_, body) => expect(await codeOf(receive(body))).toBe('input.invalid'));

  it('tells a request of the legacy alerting what to use instead', async () =>
    expect(receive({ ruleId: 1, state: 'alerting' })).rejects.toThrow(/legacy/));

  it('refuses what is too large', async () =>
    expect(await codeOf(receive(' '.repeat(8_000_001)))).toBe('input.too_large'));
});
