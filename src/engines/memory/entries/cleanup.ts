import type { MemoryKind } from '#spec/data';
import type { MemoryFilter, MemoryStore } from '#spec/ports';
import { allEntries } from './all-entries.ts';
import type { CleanupOptions, CleanupReport } from './memory.ts';

const DAY_MS = 86_400_000;
/** Used so often, an entry is in use. */
const FREQUENT = 3;
/** Age does not make these wrong. */
const LASTING: ReadonlySet<MemoryKind> = new Set<MemoryKind>([
  'preference',
  'governance_rule',
  'service_profile',
  'team_preference',
]);

/** Forgets what nobody used for long. What an earlier clean-up forgot, and nobody took back since, is erased. */
export async function cleanUp(
  store: MemoryStore,
  { maxAgeDays, keepFrequentlyAccessed }: CleanupOptions,
  scopes: Pick<MemoryFilter, 'scopes'>,
  now: number,
): Promise<CleanupReport> {
  const unusedSince = now - maxAgeDays * DAY_MS;
  const gone: string[] = [];
  for await (const { id, updatedAt } of allEntries(store, { ...scopes, states: ['forgotten'], unusedSince }))
    if (updatedAt < unusedSince) gone.push(id);
  const old: string[] = [];
  let [keptInUse, keptByKind] = [0, 0];
  for await (const { id, kind, accesses } of allEntries(store, { ...scopes, unusedSince })) {
    if (LASTING.has(kind)) keptByKind += 1;
    else if (keepFrequentlyAccessed && accesses >= FREQUENT) keptInUse += 1;
    else old.push(id);
  }
  for (const id of old) await store.change(id, { state: 'forgotten' });
  const erased = gone.length ? await store.erase(gone) : 0;
  return { forgotten: old.length, erased, keptInUse, keptByKind };
}
