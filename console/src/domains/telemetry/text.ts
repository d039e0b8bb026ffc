import { defineText } from '../language/define-text.ts';

export const telemetryText = defineText({
  en: {
    lines: 'Log lines',
    more: (count: number) => `Show ${count} more`,
    spans: (count: number) => `${count} spans`,
    failed: 'failed',
    trace: 'Trace',
    change: { deploy: 'deploy', commit: 'commit', config: 'config', flag: 'flag', release: 'release' },
    health: { ok: 'Healthy', warn: 'Degraded', bad: 'Bad', unknown: 'Unknown' },
  },
  zh: {
    lines: '日志行',
    more: (count) => `再显示 ${count} 条`,
    spans: (count) => `${count} 个跨度`,
    failed: '失败',
    trace: '链路',
    change: { deploy: '部署', commit: '提交', config: '配置', flag: '开关', release: '发布' },
    health: { ok: '健康', warn: '降级', bad: '异常', unknown: '未知' },
  },
});
