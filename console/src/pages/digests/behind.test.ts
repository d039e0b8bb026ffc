import type { Digest } from '#spec/api';
import { expect, it } from 'vitest';
import { behind } from './behind.ts';

const EMPTY = { values: [] };
const digest = {
  incidents: ['a', 'b', 'c'].map((id) => ({ id })),
  opened: ['a', 'b'],
  ended: { recovered: ['c'], resolved: ['a'], closed: [] },
  buckets: [{ start: 1_000, end: 2_000, opened: ['b'], ended: ['c'], alerts: 1 }],
  times: { detect: { values: [{ incident: 'c', ms: 1 }] }, diagnose: EMPTY, decide: EMPTY, recover: EMPTY },
  services: [{ service: 'web:1', incidents: ['b'] }],
  causes: [{ cause: 'unknown', incidents: ['c'] }],
  done: [{ operation: 'observe', incidents: ['a', 'a'], recovered: [], notRecovered: [] }],
  notRecovered: [{ incident: 'c', status: 'failed', at: '' }],
  repeated: [{ service: '', cause: 'disk', incidents: ['a', 'c'] }],
  approvals: { requested: [], granted: ['a', 'a', 'b'], denied: ['c'], expired: [] },
  learned: { lessons: ['b'] },
} as unknown as Digest;

const ids = (name: string) =>
  behind(digest, name)
    .map(({ id }) => id)
    .join('');

it('finds the incidents behind each number, each of them once', () => {
  const found = {
    opened: 'ab',
    ended: 'ac',
    'opened:1000': 'b',
    'ended:1000': 'c',
    resolved: 'a',
    granted: 'ab',
    answered: 'abc',
    detect: 'c',
    'service:web:1': 'b',
    'cause:unknown': 'c',
    'done:observe': 'a',
    failed: 'c',
    'repeated:0': 'ac',
    lessons: 'b',
  };
  for (const [name, want] of Object.entries(found)) expect([name, ids(name)]).toEqual([name, want]);
  for (const name of ['', 'nothing', 'opened:5', 'repeated:9', 'service:x']) expect(ids(name)).toBe('');
});
