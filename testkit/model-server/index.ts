export { demoScript } from './demo-script.ts';
export { FAULT_KINDS, type FaultKind, FaultSpec } from './fault-spec.ts';
export { parseFault } from './faults.ts';
export { loadScript } from './load-script.ts';
export {
  type ModelServer,
  type ModelServerOptions,
  type RecordedRequest,
  startModelServer,
} from './model-server.ts';
export { Reply, Script } from './script.ts';
