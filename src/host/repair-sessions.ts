import { type RepairReport, repairSessionDatabase } from '#adapters/store';
import type { Home } from './home.ts';

/** Mends the store of conversations, also when it can no longer be opened. */
export const repairSessions = (home: Home): Promise<RepairReport> =>
  repairSessionDatabase(home.file('state.db'));
