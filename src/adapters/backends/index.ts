export { evidenceArchive } from './bundle/evidence-archive.ts';
export { openEmbedded } from './embedded/open-embedded.ts';
export { guardExecutor } from './executor-support/guard-executor.ts';
export {
  alertSources,
  incidentKinds,
  type ListedKind,
  openExecutors,
  openTelemetry,
} from './open-incident-backends.ts';
export { otlpRoutes } from './otlp/otlp-routes.ts';
export { bundleSources, readBundle } from './bundle/index.ts';
export { openCommands } from './commands/open-commands.ts';
export { type Backends, type ListedBackend, openBackends } from './open-backends.ts';
export { type BackendConfig, parseBackends } from './parse-backends.ts';
export { kindNames } from './sandbox-kinds.ts';
