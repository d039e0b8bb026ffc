export { type Form, NAMINGS } from './form/form.ts';
export type { SeriesMeaning } from './form/metric-scene.ts';
export { openRandom, type Random } from './random.ts';
export { simulate, type SimulatedCase, type SimulateOptions } from './simulate.ts';
export { FAULT_NAMES, type Truth } from './world/world.ts';
export { drawStorm, type Storm, type StormAlert } from './storm.ts';
