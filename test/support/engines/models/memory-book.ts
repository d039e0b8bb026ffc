import type { CredentialBook, CredentialState } from '#spec/ports';

/** A credential book that lives as long as a test. */
export function memoryBook(states: Record<string, Record<string, CredentialState>> = {}): CredentialBook & {
  readonly states: Record<string, Record<string, CredentialState>>;
} {
  return {
    states,
    read: async (provider) => states[provider] ?? {},
    update: async (provider, id, change) => {
      const mine = (states[provider] ??= {});
      mine[id] = change(mine[id] ?? { uses: 0 });
    },
  };
}
