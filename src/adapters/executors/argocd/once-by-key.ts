import { AppError } from '#kit/app-error';
import type { Text } from '#kit/text';

const REMEMBERED = 1_000;
const known = new Map<string, Promise<Text>>();

/**
 * For a target that keeps no keys: in one process the same key is done once. What surely was not done may be asked for
 * again; what was done, or may have been, is answered the same way for as long as the process lives.
 */
export function onceByKey(key: string, work: () => Promise<Text>): Promise<Text> {
  const before = known.get(key);
  if (before) return before;
  const running = work().catch((thrown: unknown) => {
    if (thrown instanceof AppError) known.delete(key);
    throw thrown;
  });
  known.set(key, running);
  for (const oldest of known.keys()) if (known.size > REMEMBERED) known.delete(oldest);
  return running;
}
