import type * as Embedded from './embedded/open-embedded.ts';

export { openTelemetry, telemetryKinds } from './open-telemetry.ts';

/** Loaded when it is first opened: whoever only reads other backends does without a database. */
export const openEmbedded: typeof Embedded.openEmbedded = async (...given) =>
  (await import('./embedded/open-embedded.ts')).openEmbedded(...given);
