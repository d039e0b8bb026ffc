export { bundleSources } from './bundle-sources.ts';
export {
  BASELINE_START,
  INCIDENT_START,
  sampleSystem,
  type SampleOptions,
  withSeries,
} from './sample-system.ts';
export { callTraces } from './call-traces.ts';
export { writeBundle } from './write-bundle.ts';
