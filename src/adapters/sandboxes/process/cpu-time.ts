import type { RawEnd } from './start-process.ts';

const SIGXCPU_CODE = 128 + 24;

/** The kernel ends a command whose processor time is used up by a signal of its own. */
export const cpuTime = (raw: RawEnd): { readonly stopped?: 'time' } =>
  raw.stopped === undefined && (raw.signal === 'SIGXCPU' || raw.code === SIGXCPU_CODE)
    ? { stopped: 'time' }
    : {};
