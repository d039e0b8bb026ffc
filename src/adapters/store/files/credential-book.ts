import { z } from 'zod';
import type { CredentialBook, CredentialStates, Logger } from '#spec/ports';
import { atomicWrite } from './atomic-write.ts';
import { withFileLock } from '#adapters/io/file-lock';
import { readText } from './read-text.ts';

const State = z.object({
  uses: z.number(),
  lastUsedAt: z.number().exactOptional(),
  restsUntil: z.number().exactOptional(),
  restsBecause: z.string().exactOptional(),
});
const Book = z.record(z.string(), z.record(z.string(), State));

/** Keeps what is known about credentials in one JSON file. It holds labels, counts and times, no secrets. */
export function fileCredentialBook(path: string, log: Logger): CredentialBook {
  return {
    read: async (provider) => (await readBook(path))[provider] ?? {},
    update: async (provider, id, change) => {
      const write = async () => {
        const book = await readBook(path);
        const states: CredentialStates = book[provider] ?? {};
        const changed = { ...book, [provider]: { ...states, [id]: change(states[id] ?? { uses: 0 }) } };
        await atomicWrite(path, `${JSON.stringify(changed, null, 2)}\n`, { mode: 0o600 });
      };
      // An answer that has arrived is worth more than a note about its key: what cannot be written is forgotten.
      await withFileLock(path, write).catch((thrown: unknown) =>
        log.warn('part.failed', { part: path, thrown }),
      );
    },
  };
}

/** A book that cannot be read is an empty one: it is a memory of passing things, and the vendor will tell again. */
async function readBook(path: string): Promise<z.infer<typeof Book>> {
  const text = await readText(path);
  if (text === undefined) return {};
  try {
    return Book.catch({}).parse(JSON.parse(text));
  } catch {
    return {};
  }
}
