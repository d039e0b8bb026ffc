import type { InboxMessage } from '#spec/data';

/** Messages of channels, on disk when `add` resolves. Shared by every process of a home. */
export interface Inbox {
  /** The same id again changes nothing. */
  add(message: InboxMessage): Promise<void>;
  /** Newest first. */
  list(filter: {
    readonly state?: InboxMessage['state'];
    readonly limit: number;
  }): Promise<readonly InboxMessage[]>;
  /** Nobody waits for an answer to it any more. False: there is no such message. */
  answered(id: string): Promise<boolean>;
}
