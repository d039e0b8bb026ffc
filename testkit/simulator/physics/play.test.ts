import { describe, expect, it } from 'vitest';
import { openRandom } from '../random.ts';
import type { Effect } from '../world/effect.ts';
import { drawSystem, type Edge, type System } from '../world/system.ts';
import { play, type Play, type ServiceField } from './play.ts';

const START = 1_700_000_000;
const TIMES = Array.from({ length: 20 }, (_, at) => START + at * 60);
const ONSET = START + 600;

const systems = Array.from({ length: 20 }, (_, at) => drawSystem(openRandom(`system ${at}`)));
/** Without noise, and without the time of day: what moves is moved by the effects. */
const run = (system: System, effects: readonly Effect[]): Play =>
  play({ system: { ...system, rhythm: 0 }, effects, rollouts: [] }, TIMES, undefined);
const before = (of: Float64Array | undefined): number => of?.[8] as number;
const after = (of: Float64Array | undefined): number => of?.[19] as number;
const rose = (played: Play, at: number, field: ServiceField): number =>
  after(played.services[at]?.[field]) - before(played.services[at]?.[field]);

/** An edge between two programs whose caller needs its callee. */
const needed = ({ edges, services }: System): Edge | undefined =>
  edges.find(
    ({ to, needs, async, calls }) => services[to]?.role === 'service' && needs > 0.5 && !async && calls > 0.1,
  );

/** Nobody asks twice: retries bring load down, and with it failures of the overloaded. */
const once = (system: System): System => ({
  ...system,
  edges: system.edges.map((edge) => ({ ...edge, retries: 0 })),
});

describe('the physics', () => {
  it('stands still where nothing happens', () => {
    for (const system of systems) {
      const played = run(
        { ...system, services: system.services.map((service) => ({ ...service, job: undefined })) },
        [],
      );
      for (const { at } of system.services)
        expect(Math.abs(rose(played, at, 'mean'))).toBeLessThan(
          1e-6 * before(played.services[at]?.mean) + 1e-9,
        );
    }
  });

  it('brings failures up to callers, and not down to callees', () => {
    for (const system of systems) {
      const edge = needed(system);
      if (!edge) continue;
      const played = run(once(system), [{ from: ONSET, service: edge.to, fails: 0.4 }]);
      expect(rose(played, edge.to, 'ownFails')).toBeGreaterThan(0.2);
      expect(rose(played, edge.from, 'fails')).toBeGreaterThan(0.01);
      expect(rose(played, edge.from, 'fails')).toBeLessThanOrEqual(1);
      for (const { from, to } of system.edges)
        if (from === edge.to && to > edge.to) expect(rose(played, to, 'ownFails')).toBeLessThan(1e-6);
    }
  });

  it('brings time up to callers', () => {
    for (const system of systems) {
      const edge = needed(system);
      if (!edge) continue;
      const played = run(system, [{ from: ONSET, service: edge.to, waitMs: 30 }]);
      expect(rose(played, edge.to, 'mean')).toBeGreaterThan(25);
      expect(rose(played, edge.from, 'mean')).toBeGreaterThan(0);
    }
  });

  it('brings load down to callees, and makes busy places slower', () => {
    for (const system of systems) {
      const played = run(system, [{ from: ONSET, load: 0.4 }]);
      for (const { to } of system.edges) expect(rose(played, to, 'rate')).toBeGreaterThan(0);
      for (const { at, job } of system.services)
        if (!job) expect(rose(played, at, 'alone')).toBeGreaterThanOrEqual(0);
    }
  });

  it('lets callees have less to do where a caller fails early, or calls less', () => {
    for (const system of systems) {
      const edge = needed(system);
      if (!edge) continue;
      const failing = run(system, [{ from: ONSET, service: edge.from, fails: 0.8, early: 1 }]);
      expect(after(failing.edges[edge.at]?.rate)).toBeLessThan(0.5 * before(failing.edges[edge.at]?.rate));
      const silent = run(once(system), [{ from: ONSET, edge: edge.at, calls: 0.2 }]);
      expect(after(silent.edges[edge.at]?.rate)).toBeCloseTo(0.2 * before(silent.edges[edge.at]?.rate), 2);
      expect(after(silent.services[edge.from]?.rate)).toBeCloseTo(
        before(silent.services[edge.from]?.rate),
        2,
      );
    }
  });

  it('asks a failing callee again', () => {
    for (const system of systems) {
      const edge = needed(system);
      if (!edge) continue;
      const patient = {
        ...system,
        edges: system.edges.map((one) => (one.at === edge.at ? { ...one, retries: 2 } : one)),
      };
      const played = run(patient, [{ from: ONSET, edge: edge.at, edgeFails: 0.5 }]);
      expect(after(played.edges[edge.at]?.rate)).toBeGreaterThan(1.5 * before(played.edges[edge.at]?.rate));
    }
  });

  it('sends to the database what a broken cache no longer answers', () => {
    const edge = systems
      .flatMap((system) => system.edges.map((one) => ({ system, one })))
      .find(({ one }) => one.cache);
    expect(edge).toBeDefined();
    if (!edge?.one.cache) return;
    const played = run(edge.system, [{ from: ONSET, service: edge.one.cache.at, misses: 1 }]);
    expect(after(played.edges[edge.one.at]?.rate)).toBeGreaterThan(
      2 * before(played.edges[edge.one.at]?.rate),
    );
  });
});
