import type { AlertSource } from '#spec/ports';
import { kinds } from './kinds.gen.ts';

/** Every way in for alerts. */
export const alertSources = async (): Promise<readonly AlertSource[]> =>
  Promise.all(Object.values(kinds).map((load) => load()));
