import { describe, expect, it } from 'vitest';
import { Telemetry } from '#spec/data';
import { drawForm } from './form/form.ts';
import { simulate } from './simulate.ts';
import { drawWorld, FAULT_NAMES } from './world/world.ts';

const SEEDS = Array.from({ length: 12 }, (_, at) => `case ${at}`);
/** Maps and sets are not for JSON: a form's signals are told as a list. */
const bytes = (value: unknown): string =>
  JSON.stringify(value, (_, one) => (one instanceof Set ? [...one] : one));

describe('a drawn case', () => {
  it('is the same, byte by byte, for the same seed', () => {
    for (const seed of SEEDS.slice(0, 4)) expect(bytes(simulate({ seed }))).toBe(bytes(simulate({ seed })));
    expect(bytes(simulate({ seed: 'one' }))).not.toBe(bytes(simulate({ seed: 'other' })));
  });

  it('has the same truth in another form', () => {
    for (const seed of SEEDS) {
      const [one, other] = [simulate({ seed }), simulate({ seed, formSeed: `${seed} otherwise` })];
      expect(other.truth).toEqual(one.truth);
      expect(bytes(other.telemetry)).not.toBe(bytes(one.telemetry));
    }
  });

  it('has the same form whatever happened', () => {
    const forms = ['none_quiet', 'bad_release', 'surge'].map((fault) => simulate({ seed: 'a', fault }).form);
    for (const form of forms) expect(form).toEqual(drawForm('a'));
  });

  it('is what the product reads, and every number is one', () => {
    for (const seed of SEEDS) {
      const { telemetry, meanings } = simulate({ seed });
      expect(Telemetry.safeParse(telemetry).error).toBeUndefined();
      expect(meanings).toHaveLength(telemetry.metrics.length);
      for (const { times, values, service, metric } of telemetry.metrics) {
        expect(values).toHaveLength(times.length);
        expect(values.every(Number.isFinite), `${service} ${metric}`).toBe(true);
        expect(times.every((time, at) => at === 0 || time > (times[at - 1] as number))).toBe(true);
      }
      expect(Date.parse(telemetry.bundle.baseline.end)).toBeLessThan(
        Date.parse(telemetry.bundle.incident.start),
      );
    }
  });
});

describe('the truth', () => {
  it.each(FAULT_NAMES)('%s can be drawn and is told', (fault) => {
    const truth = SEEDS.map((seed) => drawWorld(seed, fault).truth).find((one) => one.fault === fault);
    expect(truth).toBeDefined();
    expect(truth?.onset === undefined).toBe(fault.startsWith('none_'));
    expect(truth?.undoHelps).toBe((truth?.changes.length ?? 0) > 0);
  });

  it('names a change that is on record among innocent ones, or none', () => {
    for (const seed of SEEDS) {
      const { changes, truth } = drawWorld(seed, 'bad_release');
      const ids = changes.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      for (const id of truth.changes) expect(ids).toContain(id);
      expect(ids.length).toBeGreaterThan(truth.changes.length);
    }
  });
});
