/** Waits for all of them. What fails is told, and keeps no other from its end. */
export async function settleAll(
  all: Iterable<Promise<unknown>>,
  failed: (thrown: unknown) => void,
): Promise<void> {
  for (const one of await Promise.allSettled(all)) if (one.status === 'rejected') failed(one.reason);
}
