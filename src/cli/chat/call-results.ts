import type { StoredMessage } from '#spec/data';
import { plainText } from './past-items.ts';

/** What every call returned, by its id. */
export const callResults = (messages: readonly StoredMessage[]): Map<string, string> =>
  new Map(
    messages.flatMap(({ message }) =>
      message.role === 'tool' ? [[message.callId, plainText(message.content)] as const] : [],
    ),
  );
