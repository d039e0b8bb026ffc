import type { Probed } from '#spec/data';

/** Something that can be asked whether it is there. */
export interface Probeable {
  /**
   * Asks the thing itself, with the credentials and the address that its work uses. Changes nothing and costs nothing.
   * Rejects with an `AppError` when it cannot be reached or turns us away.
   */
  probe(signal: AbortSignal): Promise<Probed>;
}
