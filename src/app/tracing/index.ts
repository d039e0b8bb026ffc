export { followIncidents, type IncidentsFollowed } from './follow-incidents.ts';
export type { HomeTracing } from './home-tracing.ts';
export { openTracer } from './open-tracer.ts';
export { readSampler, type Sampler } from './sampler.ts';
export { tracedTurn } from './turn-spans.ts';
export { workflowSpans } from './workflow-spans.ts';
