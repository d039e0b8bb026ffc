import { expect, it } from 'vitest';
import type { IncidentFact, RecoveryCheck } from '../../domains/incident/records.ts';
import { openFormats } from '../../domains/format/formats.ts';
import { incidentWords } from '../../domains/incident/text.ts';
import { factLine } from './fact-line.ts';
import { incidentText } from './text.ts';

const words = { ...incidentWords.zh, ...incidentText.zh.recovery, ...incidentText.zh.timeline };
const line = (type: string, data: object) =>
  factLine({ type, data } as unknown as IncidentFact, openFormats('zh'), words);

it('words a verified recovery from its numbers', () => {
  const checks: readonly Partial<RecoveryCheck>[] = [
    { dimension: 'errors', ok: true, usual: 0, during: 54.4, after: 0.1, unit: '%', summary: 'fell' },
    { dimension: 'latency', ok: false, after: 700, unit: 'ms', summary: 'slow' },
    { dimension: 'deploy_state', ok: true, unit: '', summary: 'web is at v1, as wanted' },
    { dimension: 'trace_errors', unit: '', summary: 'nothing to look at' },
  ];
  expect(line('recovery.verified', { recovery: { checks } }).split(' · ')).toEqual([
    '错误 54.4 % → 0.1 %（平时 0 %）',
    '延迟 – → 700 ms（平时 –）',
    '部署状态：符合目标',
    '失败的跨度：没有数据',
  ]);
});

it('words causes and ends, and keeps what a person wrote', () => {
  expect(line('rca.concluded', { confidence: 0.9, summary: '配置错误: web: 如此' })).toBe(
    '90 % · 配置错误: web: 如此',
  );
  expect(line('rca.inconclusive', { summary: '没有发现异常', missing: [] })).toBe('没有发现异常');
  expect(line('incident.closed', { state: 'resolved', why: 'its alerts have gone away' })).toBe(
    '告警已全部消除',
  );
  expect(line('incident.closed', { state: 'closed', why: 'a drill' })).toBe('a drill');
});

it('repeats what an executor says where it did not go well', () => {
  const run = (status: string) =>
    line('execution.finished', { execution: { status, detail: 'no route', startedAt: 0, endedAt: 2_000 } });
  expect([run('done'), run('failed')]).toEqual(['完成 · 2 秒', '失败 · no route']);
});
