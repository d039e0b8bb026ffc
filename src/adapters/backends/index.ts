import type * as Embedded from './embedded/open-embedded.ts';
import type * as Otlp from './otlp/otlp-routes.ts';

export { evidenceArchive } from './bundle/evidence-archive.ts';
export { guardExecutor } from './executor-support/guard-executor.ts';
export {
  alertSources,
  incidentKinds,
  type ListedKind,
  openExecutors,
  openTelemetry,
} from './open-incident-backends.ts';
export { bundleSources, readBundle } from './bundle/index.ts';
export { thisMachine } from './machine/this-machine.ts';
export { openCommands } from './commands/open-commands.ts';
export { type Backends, type ListedBackend, openBackends } from './open-backends.ts';
export { type BackendConfig, parseBackends } from './parse-backends.ts';
export { kindNames } from './sandbox-kinds.ts';

// Whoever only runs commands does not load a store of telemetry and its wire.

export const openEmbedded: typeof Embedded.openEmbedded = async (...given) =>
  (await import('./embedded/open-embedded.ts')).openEmbedded(...given);

export const otlpRoutes = async (...given: Parameters<typeof Otlp.otlpRoutes>) =>
  (await import('./otlp/otlp-routes.ts')).otlpRoutes(...given);
