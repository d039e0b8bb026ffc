import { describe, expect, it } from 'vitest';
import { alikeness, atom, bind, bundle, unbind } from './hrr.ts';

const [color, shape, red, round, blue] = ['color', 'shape', 'red', 'round', 'blue'].map((text) =>
  atom(text),
) as [
  ReturnType<typeof atom>,
  ReturnType<typeof atom>,
  ReturnType<typeof atom>,
  ReturnType<typeof atom>,
  ReturnType<typeof atom>,
];
const thing = bundle([
  { part: bind(color, red), weight: 1 },
  { part: bind(shape, round), weight: 1 },
]);

describe('holograms', () => {
  it('gives the same text the same atom, and different ones nothing in common', () => {
    expect(alikeness(atom('red'), red)).toBeCloseTo(1);
    expect(Math.abs(alikeness(red, blue))).toBeLessThan(0.15);
  });

  it('hides the filler of a role until the role is taken off', () => {
    expect(Math.abs(alikeness(thing, red))).toBeLessThan(0.15);
    expect(alikeness(unbind(thing, color), red)).toBeGreaterThan(0.6);
    expect(Math.abs(alikeness(unbind(thing, shape), red))).toBeLessThan(0.15);
    expect(alikeness(unbind(thing, shape), round)).toBeGreaterThan(0.6);
  });

  it('takes off exactly what was bound', () => {
    expect(alikeness(unbind(bind(color, red), color), red)).toBeCloseTo(1);
  });

  it('tells which of 64 pairs was kept', () => {
    const pairs = Array.from({ length: 64 }, (_, at) => ({
      role: atom(`role ${at}`),
      filler: atom(`filler ${at}`),
    }));
    const bank = bundle(pairs.map(({ role, filler }) => ({ part: bind(role, filler), weight: 1 })));
    const right = pairs.filter(({ role }, at) => {
      const found = unbind(bank, role);
      const likeness = pairs.map(({ filler }) => alikeness(found, filler));
      return likeness.indexOf(Math.max(...likeness)) === at;
    });
    expect(right.length).toBeGreaterThanOrEqual(60);
  });

  it('has nothing in common with nothing', () => {
    expect(alikeness(bundle([]), red)).toBe(0);
  });
});
