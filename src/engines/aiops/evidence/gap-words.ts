import { catalogue } from '#kit/text';
import type { AskedKind } from './asked-record.ts';

/** What could not be looked at, in words. */
export const gapWords = catalogue({
  en: {
    late: (seconds: number) => `no answer within ${seconds} s`,
    noTime: 'there was no time left',
    noBackend: (kind: string) => `${kind}: no backend is set up`,
    failed: (kind: string, source: string, problem: string) => `${kind}: ${source}: ${problem}`,
    knowsNothing: (kind: string, source: string) =>
      `${kind}: ${source}: knows nothing about these times and services`,
    cut: (kind: string) => `${kind}: there are more than may be taken in; some are left out`,
  },
  zh: {
    late: (seconds) => `${seconds} 秒内没有应答`,
    noTime: '剩余时间不足',
    noBackend: (kind) => `${kind}:没有配置后端`,
    failed: (kind, source, problem) => `${kind}:${source}:${problem}`,
    knowsNothing: (kind, source) => `${kind}:${source}:没有这些时间和服务的数据`,
    cut: (kind) => `${kind}:数量超过上限,部分没有采集`,
  },
});

export const KINDS = catalogue<Record<AskedKind, string>>({
  en: { metrics: 'metrics', logs: 'logs', traces: 'traces', changes: 'changes', topology: 'topology' },
  zh: { metrics: '指标', logs: '日志', traces: '链路', changes: '变更', topology: '拓扑' },
});
