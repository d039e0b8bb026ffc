import { describe, expect, it, onTestFinished } from 'vitest';
import { incidentApi, startServing } from '#testkit/incident-home';
import { askedFor, failingService, reached } from '../incidents/failing-service.ts';
import { type Mood, type SentSpan, startScriptedReceiver } from './scripted-receiver.ts';

const STAGES = [
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
];

/** A home that is served by a process, whose traces go to a receiver in this mood. */
async function tracedStory(mood?: Mood) {
  const receiver = await startScriptedReceiver(mood);
  const story = await failingService({ env: receiver.env });
  const serve = async () => {
    const started = await startServing(story.home);
    onTestFinished(() => started.kill());
    return started;
  };
  let current = await serve();
  const api = incidentApi(() => current.url, story.home.token);
  await story.feed(() => current.url);
  return {
    receiver,
    story,
    api,
    stop: () => current.stop(),
    /** Ends the process as the machine would, and begins the next one. */
    killed: async () => {
      await current.kill();
      current = await serve();
    },
    restarted: async () => {
      expect(await current.stop()).toBe(0);
      current = await serve();
    },
    whole: () =>
      api.until('the trace is whole', async () => {
        const names = new Set(ofIncident(receiver.spans).map(({ name }) => name));
        return STAGES.every((stage) => names.has(stage)) || undefined;
      }),
  };
}

const ofIncident = (spans: readonly SentSpan[]) => spans.filter(({ name }) => /^incident\b/.test(name));

describe('a process that is killed in the middle of an incident', () => {
  it('leaves a whole trace in the end, the same spans where some come again, and the flow as it was', async () => {
    const { receiver, story, api, killed, restarted, whole } = await tracedStory();
    const { incident, approval } = await askedFor(api, story.alert());
    // What has ended so far has not been sent: spans are gathered for two seconds.
    await killed();
    expect((await api.approve(approval.id)).status).toBe(200);
    await killed();
    const closed = await reached(api, incident.id, 'recovered');
    await killed();
    await whole();

    const { applied, history } = await story.registry();
    expect(Object.keys(applied)).toEqual([closed.execution?.key]);
    expect(history).toHaveLength(2);

    const spans = ofIncident(receiver.spans);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    // Whoever sends one again sends the same one.
    const byId = new Map(spans.map((span) => [span.spanId, span]));
    for (const span of spans) expect(span).toEqual(byId.get(span.spanId));
    const { facts } = await api.incident(incident.id);
    const count = (name: string) => [...byId.values()].filter((span) => span.name === name).length;
    for (const [name, type] of [
      ['incident', 'incident.closed'],
      ['incident.collect', 'evidence.collected'],
      ['incident.execute', 'execution.finished'],
      ['incident.learn', 'lesson.recorded'],
    ] as const)
      expect([name, count(name)]).toEqual([name, facts.filter((fact) => fact.type === type).length]);

    // Nothing is sent twice by those that end in order.
    await restarted();
    const sent = ofIncident(receiver.spans).length;
    await restarted();
    expect(ofIncident(receiver.spans)).toHaveLength(sent);
  }, 90_000);
});

describe('a receiver', () => {
  it('that was away, also while Hermes was restarted, gets the trace when it is back', async () => {
    const { receiver, story, api, restarted, whole } = await tracedStory('gone');
    const { incident, approval } = await askedFor(api, story.alert());
    expect((await api.approve(approval.id)).status).toBe(200);
    await reached(api, incident.id, 'recovered');
    await restarted();
    expect(receiver.requests).toBeGreaterThan(0);
    receiver.mood = 'takes';
    await whole();
  }, 90_000);

  it('that never answers, or with garbage, keeps nothing waiting', async () => {
    for (const mood of ['mute', 'garbage'] as const) {
      const { receiver, story, api, stop } = await tracedStory(mood);
      const { incident, approval } = await askedFor(api, story.alert());
      expect((await api.approve(approval.id)).status).toBe(200);
      await reached(api, incident.id, 'recovered');
      await api.until('it was sent something', async () => receiver.requests > 0 || undefined);
      const began = performance.now();
      expect(await stop()).toBe(0);
      expect(performance.now() - began).toBeLessThan(10_000);
    }
  }, 90_000);
});
