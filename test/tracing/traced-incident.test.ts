import { describe, expect, it } from 'vitest';
import { reached, servedStory } from '../incidents/failing-service.ts';
import { startReceiver } from './receiver.ts';

describe('an incident', () => {
  it('can be read back as one trace, from its opening to what was learned of it', async () => {
    const receiver = await startReceiver();
    const story = await servedStory({ env: receiver.env });
    const { api } = story;
    const { incident, approval } = await story.asked();
    expect((await api.approve(approval.id)).status).toBe(200);
    await reached(api, incident.id, 'recovered');
    const spans = await receiver.until('the trace is whole', (all) =>
      all.some(({ operation }) => operation === 'incident.learn'),
    );
    const root = spans.find(({ operation }) => operation === 'incident');
    const trace = spans.filter(({ traceId }) => traceId === root?.traceId);
    expect([...new Set(trace.map(({ operation }) => operation))].toSorted()).toEqual([
      'incident',
      'incident.analyse',
      'incident.approval',
      'incident.checkpoint',
      'incident.collect',
      'incident.execute',
      'incident.learn',
      'incident.propose',
      'incident.rehearse',
      'incident.verify',
    ]);
    expect(root?.attributes).toMatchObject({
      'hermes.incident.id': incident.id,
      'hermes.incident.state': 'recovered',
      'hermes.incident.service': 'payment-service',
    });
    for (const span of trace) if (span !== root) expect(span.parentId).toBe(root?.spanId);
    const execute = trace.find(({ operation }) => operation === 'incident.execute');
    expect(execute?.attributes).toMatchObject({ 'hermes.outcome': 'done', 'hermes.executor': 'demo_file' });

    // What people and programs asked over HTTP is there by its route, and the receiver itself is not.
    const names = new Set(spans.map(({ operation }) => operation));
    expect(names).toContain('POST /api/approvals/:id/approve');
    expect(names).toContain('POST /gateway/alertmanager');
    expect([...names].filter((name) => /healthz|\/v1\/|metrics|\/api\/events/.test(name))).toEqual([]);
    expect(JSON.stringify(spans)).not.toContain('token-of-the-incident-home');
    expect(JSON.stringify(spans)).not.toContain('HighErrorRate');

    const { body } = await api.send('GET', '/metrics');
    const exported = /^hermes_trace_spans_total\{outcome="exported"\} (\d+)$/m.exec(String(body))?.[1];
    expect(Number(exported)).toBeGreaterThanOrEqual(trace.length);
  }, 60_000);
});
