import { describe, expect, it } from 'vitest';
import type { Change } from '#spec/data';
import { takenBack } from './taken-back.ts';

const change = (id: string, minute: number, parts: Partial<Change>): Change => ({
  id,
  kind: 'deploy',
  service: 'shop',
  time: `2026-03-01T11:${String(minute).padStart(2, '0')}:00Z`,
  summary: id,
  ...parts,
});

describe('takenBack', () => {
  const out = change('out', 10, { details: { from: 'v1', to: 'v2' } });
  const back = change('back', 20, { details: { from: 'v2', to: 'v1' } });

  it('tells which change put back what another replaced', () => {
    expect(takenBack(out, [out, back])).toEqual({ by: back, restores: false });
    expect(takenBack(back, [out, back])).toEqual({ by: undefined, restores: true });
  });

  it('keeps services, settings and further versions apart', () => {
    const elsewhere = { ...back, service: 'stock' };
    const further = change('further', 20, { details: { from: 'v2', to: 'v3' } });
    expect(takenBack(out, [out, elsewhere, further]).by).toBeUndefined();
    const set = change('set', 10, { kind: 'config', details: { key: 'pool', from: 20, to: 2 } });
    const other = change('other', 20, { kind: 'config', details: { key: 'retries', from: 2, to: 20 } });
    expect(takenBack(set, [set, other]).by).toBeUndefined();
  });

  it('knows a setting by its name in the words where the key is of something else', () => {
    const set = change('set', 10, { kind: 'config', details: { key: 'pool_size', from: 20, to: 2 } });
    const undone = change('undone', 20, {
      kind: 'config',
      summary: 'Set pool_size to 20',
      details: { key: 'inc_1:act_1', from: 2, to: 20 },
    });
    expect(takenBack(set, [set, undone]).by).toBe(undone);
  });

  it('believes a deploy that calls itself one', () => {
    expect(takenBack(change('x', 10, { summary: 'Roll back to v1' }), []).restores).toBe(true);
    expect(takenBack(change('x', 10, { summary: 'receipts' }), []).restores).toBe(false);
  });

  it('knows what was done to end an earlier incident', () => {
    const remedy = change('x', 10, {
      kind: 'config',
      details: { operation: 'change_rate_limit', from: 25, to: 45 },
    });
    expect(takenBack(remedy, [remedy]).restores).toBe(true);
    expect(takenBack({ ...remedy, details: { operation: 'sync' } }, [remedy]).restores).toBe(false);
  });
});
