import { atomicWrite, readText, withFileLock } from '#adapters/store';
import { isRecord } from '#kit/is-record';

/** Values by name in one JSON file, private to its owner. A file that cannot be read counts as empty. */
export function jsonBook(path: string) {
  const read = async (): Promise<Record<string, unknown>> => {
    const text = await readText(path);
    try {
      const value: unknown = JSON.parse(text ?? '{}');
      return isRecord(value) ? value : {};
    } catch {
      // It only saves work: what is lost is found out again.
      return {};
    }
  };
  return {
    read: async (name: string): Promise<unknown> => (await read())[name],
    write: (name: string, value: unknown): Promise<void> =>
      withFileLock(path, async () => {
        await atomicWrite(path, `${JSON.stringify({ ...(await read()), [name]: value }, null, 2)}\n`);
      }),
  };
}
