import { ALERT_TRANSFORMS } from './alert.ts';
import { CHANGE_TRANSFORMS } from './changes.ts';
import { EVIDENCE_TRANSFORMS } from './evidence.ts';
import { MEASURE_TRANSFORMS } from './measures.ts';
import { NAME_TRANSFORMS } from './names.ts';
import type { Transform } from './transform.ts';

/** Every transformation by its name, in the order of the table. */
export const TRANSFORMS: ReadonlyMap<string, Transform> = new Map(
  Object.entries({
    ...MEASURE_TRANSFORMS,
    ...NAME_TRANSFORMS,
    ...EVIDENCE_TRANSFORMS,
    ...ALERT_TRANSFORMS,
    ...CHANGE_TRANSFORMS,
  } satisfies Readonly<Record<string, Transform>>),
);
