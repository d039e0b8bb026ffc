import { defineText } from '../language/define-text.ts';

export const telemetryText = defineText({
  en: {
    lines: 'Log lines',
    more: (count: number) => `Show ${count} more`,
    spans: (count: number) => `${count} spans`,
    failed: 'failed',
    trace: 'Trace',
    health: { ok: 'Healthy', warn: 'Degraded', bad: 'Bad', unknown: 'Unknown' },
  },
  zh: {
    lines: '日志行',
    more: (count) => `再显示 ${count} 条`,
    spans: (count) => `${count} 个跨度`,
    failed: '失败',
    trace: '链路',
    health: { ok: '健康', warn: '降级', bad: '异常', unknown: '未知' },
  },
});
