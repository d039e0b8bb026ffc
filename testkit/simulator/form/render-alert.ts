import type { IncidentBundle } from '#spec/data';
import type { Random } from '../random.ts';
import type { Service } from '../world/system.ts';
import type { AlertTarget, World } from '../world/world.ts';
import type { Clock } from './clock.ts';
import type { Form } from './form.ts';
import { failureKey, type MetricKey, openMetricNames, requestKey } from './metric-names.ts';

const iso = (time: number): string => new Date(time * 1000).toISOString();

const SAID: Readonly<Record<AlertTarget['signal'], readonly ((name: string) => string)[]>> = {
  latency: [
    (name) => `${name}: latency above its objective`,
    (name) => `${name} is slow`,
    (name) => `Response time of ${name} out of range`,
  ],
  failures: [
    (name) => `${name}: error rate above 1%`,
    (name) => `${name} fails requests`,
    (name) => `Success rate of ${name} below target`,
  ],
  requests: [(name) => `${name}: unusual traffic`, (name) => `Request count of ${name} out of range`],
  busy: [(name) => `${name}: CPU high`, (name) => `High utilisation of ${name}`],
  depth: [(name) => `${name}: backlog grows`, (name) => `Messages wait in ${name}`],
};
const NOBODY_NAMED = [
  'Service level degraded',
  'Customers report problems',
  'Error budget burns fast',
  'Synthetic check failed',
];

/** What was said, and which times to compare. */
export function renderAlert({
  world,
  form,
  clock,
  random,
}: {
  world: World;
  form: Form;
  clock: Clock;
  random: Random;
}): IncidentBundle {
  const { service, signal } = world.alert;
  const { name } = world.system.services[service] as Service;
  const metric = openMetricNames(form)(...alertMetric(form, signal));
  return {
    id: `sim-${world.seed}`,
    title: form.alertService ? random.pick(SAID[signal])(name) : random.pick(NOBODY_NAMED),
    severity: random.weighted([
      ['critical', 5],
      ['warning', 3],
      ['info', 1],
    ]),
    startsAt: iso(clock.alertAt),
    ...(form.alertService ? { service: name } : {}),
    ...(form.alertMetric ? { metric } : {}),
    labels: {},
    annotations: {},
    baseline: { start: iso(clock.baseline[0] ?? 0), end: iso(clock.baseline.at(-1) ?? 0) },
    incident: { start: iso(clock.incident[0] ?? 0), end: iso(clock.incident.at(-1) ?? 0) },
  };
}

function alertMetric(
  form: Form,
  signal: AlertTarget['signal'],
): [MetricKey, Parameters<ReturnType<typeof openMetricNames>>[1]] {
  if (signal === 'latency')
    return ['latency', { unit: form.latencyUnit, statistic: form.statistics.at(-1) ?? 'avg' }];
  if (signal === 'failures') return [failureKey(form), {}];
  if (signal === 'requests') return [requestKey(form), {}];
  return [signal === 'busy' ? 'cpu' : 'depth', {}];
}
