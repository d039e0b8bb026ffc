import type { MemoryView } from '#engines/memory';
import type { Approver } from '#spec/data';

/** Who looks, as the server has found out. */
export interface Onlooker extends Approver {
  /** Whose home it is. */
  readonly isOwner: boolean;
  readonly mayAgree: boolean;
}

export const CONSOLE = 'console';

/** On whose behalf something is done that was asked for here. */
export const viewFor = ({ user }: Onlooker): MemoryView => ({
  audience: { source: CONSOLE, user, chat: 'skills' },
  shared: false,
});
