import { describe, expect, it } from 'vitest';
import type { SpanRecord } from '#spec/data';
import { errorOrigin } from './error-origin.ts';

const span = (parts: Partial<SpanRecord>): SpanRecord => ({
  traceId: 't',
  spanId: '1',
  service: 'shop',
  operation: 'POST /stock',
  start: 0,
  durationMs: 10,
  ...parts,
});
const client = { 'span.kind': 'client', 'peer.service': 'stock' };
const originOf = (one: SpanRecord, children: readonly SpanRecord[] = []): string | undefined =>
  errorOrigin({ span: one, side: 'during', children, siblings: [] });

describe('errorOrigin', () => {
  it('is the callee of a call that was refused, though a server does not call its refusal an error', () => {
    const call = span({ error: true, status: 429, attributes: client });
    const served = span({ spanId: '2', parentId: '1', service: 'stock', status: 429 });
    expect(originOf(call, [served])).toBeUndefined();
    expect(originOf(served)).toBe('stock');
  });

  it('is the callee of a call that was answered with a failure and left no span there', () => {
    expect(originOf(span({ error: true, status: 503, attributes: client }))).toBe('stock');
    expect(originOf(span({ error: true, status: 503 }))).toBe('shop');
  });

  it('is the callee of a call that nobody took', () => {
    const attributes = { ...client, 'status.message': 'connect ECONNREFUSED 127.0.0.1:80' };
    expect(originOf(span({ error: true, attributes }))).toBe('stock');
  });

  it('is the caller that gave up, and the caller that asked for the wrong thing', () => {
    const served = span({ spanId: '2', parentId: '1', service: 'stock', status: 200 });
    const attributes = { ...client, 'status.message': 'no answer within 20 ms' };
    expect(originOf(span({ error: true, attributes }), [served])).toBe('shop');
    expect(originOf(span({ error: true, status: 400, attributes: client }))).toBe('shop');
  });

  it('is nobody where a child failed or nothing did', () => {
    const failed = span({ spanId: '2', parentId: '1', service: 'stock', error: true });
    expect(originOf(span({ error: true }), [failed])).toBeUndefined();
    expect(originOf(span({ status: 404 }))).toBeUndefined();
  });
});
