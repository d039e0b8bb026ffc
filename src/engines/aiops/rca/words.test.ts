import { joinTexts, uniqueTexts } from '#kit/text';
import { describe, expect, it } from 'vitest';
import { callTraces, INCIDENT_START, sampleSystem, withSeries } from '#testkit/bundles';
import { diagnose } from './diagnose.ts';
import { changed, moved, notTheCause, takenBack } from './words.ts';

const FIRST = moved({ metric: 'cpu', service: 'web' }, { before: 0.5, during: 2 });

describe('sentences of evidence', () => {
  it('are joined alike in every language, each once', () => {
    expect(FIRST).toEqual({
      en: 'cpu of web went from 0.5 to 2',
      zh: 'web 的 cpu 从 0.5 变为 2',
    });
    expect(joinTexts(uniqueTexts([FIRST, takenBack(3), FIRST]), { en: '; ', zh: ';' })).toEqual({
      en: 'cpu of web went from 0.5 to 2; it was taken back 3 min before the first symptom',
      zh: 'web 的 cpu 从 0.5 变为 2;在首个症状之前 3 分钟已撤回',
    });
  });

  it('keep what others wrote, in quotes, as it stands', () => {
    const change = { kind: 'deploy', id: 'dep-1', summary: 'web v2' } as const;
    const told = changed(change, { services: ['web'], carrier: undefined, at: '12:00' });
    expect([told.en, told.zh]).toEqual([
      'deploy dep-1 "web v2" on web at 12:00',
      '发布 dep-1 "web v2",作用于 web,时间 12:00',
    ]);
    expect(notTheCause(change, takenBack(1)).zh).toBe('发布 dep-1 不是原因:在首个症状之前 1 分钟已撤回');
  });
});

it('is told in Chinese too, whatever a diagnosis finds', () => {
  const slow = withSeries(sampleSystem(), 'payments', 'latency_ms_avg', (usual, during) =>
    during ? usual + 500 : usual,
  );
  const { spans, logs } = callTraces({
    calls: 30,
    says: (during) => (during ? [{ level: 'ERROR', message: 'pool exhausted' }] : []),
  });
  const changes = [-8, 9].map((minutes) => ({
    id: `dep${minutes}`,
    kind: 'deploy' as const,
    service: 'payments',
    time: new Date((INCIDENT_START + minutes * 60) * 1000).toISOString(),
    summary: 'payments: smaller pool',
  }));
  const found = [slow, { ...slow, spans, logs, changes }, sampleSystem()].map((one) => diagnose(one));
  const told = found.flatMap(({ evidence, hypotheses, missing, nextQuery }) => [
    ...evidence.map(({ summary }) => summary),
    ...hypotheses.map(({ why }) => why),
    ...missing,
    ...(nextQuery ? [nextQuery] : []),
  ]);
  expect(told.length).toBeGreaterThan(8);
  for (const { zh } of told) expect(zh).toMatch(/[一-鿿]/);
});
