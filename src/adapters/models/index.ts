export { describeModel, locate, openEndpoint } from './endpoint.ts';
export { listModels } from './list-models.ts';
export { probeModel } from './probe-model.ts';
export { localOperator } from './local/operator.ts';
export { providers } from './providers.gen.ts';
export { wireModel } from './wire/wire-model.ts';
export type { Timeouts } from './wire/deadline.ts';
