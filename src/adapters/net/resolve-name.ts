import { Resolver } from 'node:dns/promises';
import { fail } from '#kit/app-error';
import type { RecordType } from '#spec/ports';
import type { Resolve } from './pinned-connector.ts';
import { unlessAborted } from './unless-aborted.ts';

/** The resolver knows that there is no such name, or no such record of it. */
const NONE = new Set(['ENOTFOUND', 'ENODATA', 'EAI_NODATA', 'EAI_NONAME']);

/** The records of a name, one text each. */
export async function resolveName(
  name: string,
  type: RecordType,
  timeoutMs: number,
  signal: AbortSignal,
  addresses: Resolve,
): Promise<readonly string[]> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const asked = type === 'address' ? addresses(name) : recordsOf(name, type, timeoutMs);
  try {
    return [...new Set(await unlessAborted(limit, asked))];
  } catch (error) {
    signal.throwIfAborted();
    if (limit.aborted) throw fail('tool.failed', `the resolver gave no answer within ${timeoutMs / 1_000} s`);
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (NONE.has(code)) return [];
    throw fail('tool.failed', `the resolver could not answer for ${name} (${code})`, undefined, error);
  }
}

async function recordsOf(name: string, type: Exclude<RecordType, 'address'>, timeoutMs: number) {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 1 });
  const found: unknown = await resolver.resolve(name, type);
  return [found].flat().map(recordText);
}

/** As `dig +short` prints them: names and texts as they are, the fields of the others in their order. */
const recordText = (record: unknown): string =>
  Array.isArray(record)
    ? record.join('')
    : typeof record === 'object' && record !== null
      ? Object.values(record).join(' ')
      : String(record);
