import { describe, expect, it } from 'vitest';
import { cpuMs } from '#testkit/cpu-time';
import { newId } from './new-id.ts';
import { lineAround, recordIds } from './record-ids.ts';

const named = (text: string) => recordIds(text).map(({ kind, id }) => `${kind} ${id}`);

describe('recordIds', () => {
  it('knows the ids that Hermes makes', () => {
    const incident = newId('inc');
    const checkpoint = newId('chk');
    const text = `${incident}: for: ev_change_1, ev_metric_12; act_0123456789abcdef apr_cf07fe52023b (${checkpoint}) ${newId('run')}`;
    expect(named(text).slice(0, 6)).toEqual([
      `incident ${incident}`,
      'evidence ev_change_1',
      'evidence ev_metric_12',
      'action act_0123456789abcdef',
      'approval apr_cf07fe52023b',
      `checkpoint ${checkpoint}`,
    ]);
    expect(named(text)).toHaveLength(7);
  });

  it('knows ids by the word before them', () => {
    expect(named('approval 7gh2k9ab waits; "approval_id":"CHG-0031", checkpoint c3')).toEqual([
      'approval 7gh2k9ab',
      'approval CHG-0031',
      'checkpoint c3',
    ]);
    expect(named('审批 7gh2k9ab,事故编号:INC-2041,检查点 c12')).toEqual([
      'approval 7gh2k9ab',
      'incident INC-2041',
      'checkpoint c12',
    ]);
  });

  it('tells an id once and where it stands', () => {
    const text = 'approval apr_1a is open';
    expect(recordIds(text)).toEqual([{ kind: 'approval', id: 'apr_1a', at: 9 }]);
  });

  it.each([
    'run_command and act_as_user are names',
    'an action with 3 steps, incident P1, evidence 12 %',
    'approval required for the database; actions 2026',
    'the approval of 503',
  ])('takes no notice of: %s', (text) => {
    expect(named(text)).toEqual([]);
  });

  it('is quick on a long run of letters', () => {
    const began = cpuMs();
    recordIds(`act_${'a'.repeat(200_000)} approval ${'b-'.repeat(100_000)}`);
    expect(cpuMs() - began).toBeLessThan(2_000);
  });
});

describe('lineAround', () => {
  it('is the line, or the part of it around the place', () => {
    expect(lineAround('first\n  the line\nlast', 8, 40)).toBe('the line');
    const long = `${'a'.repeat(300)} apr_1 ${'b'.repeat(300)}`;
    const cut = lineAround(long, 301, 60);
    expect(cut).toContain(' apr_1 ');
    expect(cut.length).toBeLessThanOrEqual(62);
  });
});
