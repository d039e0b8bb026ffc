import type { Instrument } from './instrument.ts';
import { PLATFORM_INSTRUMENTS } from './platform.ts';
import { PROCESS_INSTRUMENTS } from './processes.ts';
import { REQUEST_INSTRUMENTS } from './requests.ts';
import { STORE_INSTRUMENTS } from './stores.ts';

export type { Instrument, LevelInstrument, RequestInstrument } from './instrument.ts';
export { tellingInstruments } from './telling-names.ts';

/** Where two measure the same signal of one service, the earlier one counts. */
export const CATALOGUE: readonly Instrument[] = [
  ...REQUEST_INSTRUMENTS,
  ...PLATFORM_INSTRUMENTS,
  ...PROCESS_INSTRUMENTS,
  ...STORE_INSTRUMENTS,
];
