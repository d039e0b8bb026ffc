import type { MemoryProviderKind } from '#spec/ports';
import { providers } from './providers.gen.ts';

/** The outside memory services that there are. Loading one opens nothing. */
export const memoryProviders = (): Promise<readonly MemoryProviderKind[]> =>
  Promise.all(Object.values(providers).map((load) => load()));
