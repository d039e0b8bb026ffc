export { guardExecutor } from './guard-executor.ts';
export { executorKinds, openExecutors } from './open-executors.ts';
