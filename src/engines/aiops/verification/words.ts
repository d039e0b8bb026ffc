import { catalogue } from '#kit/text';
import { showNumber } from '../rca/show-number.ts';

const shown = (value: number | undefined, unit: string): string =>
  value === undefined
    ? '–'
    : unit === '%'
      ? `${showNumber(value)} %`
      : `${showNumber(value)}${unit ? ` ${unit}` : ''}`;

interface Words {
  /** From the worst to now, beside what is usual. */
  readonly numbers: (what: string, usual?: number, during?: number, after?: number, unit?: string) => string;
  readonly nothing: (what: string) => string;
  readonly errors: string;
  readonly latency: string;
  readonly traffic: string;
  readonly logs: string;
  readonly traces: string;
  readonly state: string;
  readonly vanished: string;
  readonly because: (numbers: string, why: string) => string;
  readonly newLines: (count: number) => string;
  readonly before: string;
  readonly atTarget: (service: string, found: string) => string;
  readonly notAtTarget: (service: string, found: string, wanted: string) => string;
  readonly stillServed: (service: string, version: string, share: number) => string;
  readonly notServed: (service: string, version: string) => string;
}

/** What verification says, in every language. */
export const words = catalogue<Words>({
  en: {
    numbers: (what, usual, during, after, unit = '') =>
      `${what}: ${shown(during, unit)} → ${shown(after, unit)} (usually ${shown(usual, unit)})`,
    nothing: (what) => `${what}: nothing to look at`,
    errors: 'failed requests',
    latency: 'latency',
    traffic: 'requests',
    logs: 'error log lines',
    traces: 'failed spans',
    state: 'deployed state',
    vanished: 'less than half of the usual requests: nothing fails where nothing is asked',
    because: (numbers, why) => `${numbers}: ${why}`,
    newLines: (count) => `${count} of them of a kind that was not seen before`,
    before: 'the state before',
    atTarget: (service, found) => `${service} is at ${found}, as wanted`,
    notAtTarget: (service, found, wanted) => `${service} is at ${found}, wanted is ${wanted}`,
    stillServed: (service, version, share) =>
      `${version} of ${service} still takes ${showNumber(share * 100)} % of the requests`,
    notServed: (service, version) => `${version} of ${service} takes no requests any more`,
  },
  zh: {
    numbers: (what, usual, during, after, unit = '') =>
      `${what}:${shown(during, unit)} → ${shown(after, unit)}(平时 ${shown(usual, unit)})`,
    nothing: (what) => `${what}:没有可用数据`,
    errors: '失败请求',
    latency: '延迟',
    traffic: '请求量',
    logs: '错误日志',
    traces: '失败的 span',
    state: '部署状态',
    vanished: '请求量不到平时的一半:没有请求也就没有错误',
    because: (numbers, why) => `${numbers}:${why}`,
    newLines: (count) => `其中 ${count} 条是以前没有出现过的类型`,
    before: '之前的状态',
    atTarget: (service, found) => `${service} 已处于目标状态 ${found}`,
    notAtTarget: (service, found, wanted) => `${service} 处于 ${found},目标是 ${wanted}`,
    stillServed: (service, version, share) =>
      `${service} 的 ${version} 仍承接 ${showNumber(share * 100)} % 的请求`,
    notServed: (service, version) => `${service} 的 ${version} 已不再承接请求`,
  },
});
