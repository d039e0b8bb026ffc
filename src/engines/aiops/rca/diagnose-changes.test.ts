import { describe, expect, it } from 'vitest';
import type { Change, LogLine, Telemetry } from '#spec/data';
import { BASELINE_START, INCIDENT_START, sampleSystem, withSeries } from '#testkit/bundles';
import { diagnose } from './diagnose.ts';

const at = (minutes: number): string => new Date((INCIDENT_START + minutes * 60) * 1000).toISOString();
const FAILING = { metric: 'error_rate', title: 'web fails' };

const failing = (telemetry: Telemetry, services: readonly string[]): Telemetry =>
  services.reduce(
    (changed, service) =>
      // Half of what web is asked for goes to orders.
      withSeries(changed, service, 'error_rate', (usual, during) =>
        during ? usual + (service === 'web' ? 0.15 : 0.3) : usual,
      ),
    telemetry,
  );

const complaining = (telemetry: Telemetry, service: string, message: string): Telemetry => ({
  ...telemetry,
  logs: Array.from({ length: 14 }, (_, minute): LogLine[] => [
    { time: BASELINE_START + minute * 60, service, level: 'info', message: 'served' },
    { time: INCIDENT_START + minute * 60, service, level: 'info', message: 'served' },
    { time: INCIDENT_START + minute * 60 + 1, service, level: 'error', message },
  ]).flat(),
});

const config = (key: string, from: number, to: number, parts: Partial<Change> = {}): Change => ({
  id: `cfg-${key}`,
  kind: 'config',
  service: 'web',
  time: at(-1),
  summary: `web: ${key} from ${from} to ${to}`,
  details: { key, from, to },
  ...parts,
});

describe('a setting', () => {
  const base = complaining(
    failing(sampleSystem(FAILING), ['web']),
    'web',
    'orders did not answer within 20 ms',
  );

  it('is undone where complaints name the very value that it set', () => {
    const { hypotheses } = diagnose({ ...base, changes: [config('orders_timeout_ms', 2000, 20)] });
    expect(hypotheses[0]).toMatchObject({ category: 'bad_config', service: 'web', undo: true });
    expect(hypotheses[0]?.why.en).toContain('the very value that it set: 20');
  });

  it('is not undone for having come at the same time', () => {
    const { hypotheses } = diagnose({ ...base, changes: [config('mail_batch', 10, 20)] });
    expect(hypotheses.every(({ undo }) => undo === undefined)).toBe(true);
    expect(hypotheses[0]?.change).toBeUndefined();
  });
});

describe('an outage of somebody else', () => {
  const announced = (source: string): Telemetry => {
    const base = complaining(failing(sampleSystem(FAILING), ['web']), 'web', 'charge failed');
    const line = (minute: number, message: string): LogLine => ({
      time: INCIDENT_START + minute * 60,
      service: source,
      message,
    });
    return {
      ...base,
      logs: [...base.logs, line(-600, 'All systems operational'), line(3, 'Investigating a partial outage')],
    };
  };

  it.each(['status-feed:acme', 'acme'])('is taken from %s, which is no program of ours', (source) => {
    expect(diagnose(announced(source)).hypotheses[0]?.category).toBe('external');
  });

  it('is not taken from a program that is measured', () => {
    const categories = diagnose(announced('orders')).hypotheses.map(({ category }) => category);
    expect(categories).not.toContain('external');
  });
});

describe('changes of one who merely suffers', () => {
  const told = (telemetry: Telemetry): Telemetry => complaining(telemetry, 'web', 'checkout failed');
  const below = told(failing(sampleSystem(FAILING), ['web', 'orders', 'payments']));
  const release: Change = {
    id: 'dep-1',
    kind: 'deploy',
    service: 'web',
    time: at(-1),
    summary: 'web v2: new checkout',
    details: { from: 'v1', to: 'v2' },
  };

  it('are not blamed for what a service below does', () => {
    expect(diagnose({ ...below, changes: [release] }).hypotheses[0]).toMatchObject({ service: 'payments' });
  });

  it('are blamed where it fails itself', () => {
    const own = told(failing(sampleSystem(FAILING), ['web']));
    expect(diagnose({ ...own, changes: [release] }).hypotheses[0]).toMatchObject({ change: 'dep-1' });
  });
});

describe('a change that was taken back before it began', () => {
  const own = failing(sampleSystem(FAILING), ['web']);
  const out: Change = {
    id: 'dep-1',
    kind: 'deploy',
    service: 'web',
    time: at(-1.5),
    summary: 'web v2: new pool',
    details: { from: 'v1', to: 'v2' },
  };
  const back: Change = {
    ...out,
    id: 'dep-2',
    time: at(-1),
    summary: 'Roll back from v2 to v1',
    details: { from: 'v2', to: 'v1' },
  };

  it('is refuted, and taking it back is not blamed instead', () => {
    expect(diagnose({ ...own, changes: [out] }).hypotheses[0]?.change).toBe('dep-1');
    const { hypotheses, evidence } = diagnose({ ...own, changes: [out, back] });
    expect(hypotheses[0]?.change).toBeUndefined();
    expect(hypotheses[0]?.service).toBe('web');
    expect(evidence.some(({ summary }) => summary.en.includes('it was taken back'))).toBe(true);
  });

  it('is not blamed for taking something back, whatever it speaks of', () => {
    const told = complaining(own, 'web', 'pool exhausted');
    const speaks = { ...back, details: {}, summary: 'Roll back the pool of web' };
    expect(diagnose({ ...told, changes: [speaks] }).hypotheses[0]?.change).toBeUndefined();
    const forth = { ...speaks, summary: 'Roll out the pool of web' };
    expect(diagnose({ ...told, changes: [forth] }).hypotheses[0]?.change).toBe('dep-2');
  });

  it('leaves no version behind that does worse than one that serves nobody', () => {
    const zeros = withSeries(own, 'web', 'error_rate@v2', () => 0);
    const idle = withSeries(zeros, 'web', 'requests@v2', (_, during) => (during ? 0 : 300));
    const busy = withSeries(idle, 'web', 'requests@v1', () => 300);
    const versions = withSeries(busy, 'web', 'error_rate@v1', (_, during) => (during ? 0.3 : 0.001));
    const { evidence } = diagnose({ ...versions, changes: [out, back] });
    expect(evidence.some(({ summary }) => summary.en.startsWith('version v1'))).toBe(false);
  });
});
