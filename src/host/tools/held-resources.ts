import type { ToolPowers } from '#spec/ports';

export interface HeldResources {
  readonly hold: ToolPowers['hold'];
  close(): Promise<void>;
}

/** Keeps what tools open for the length of a conversation, such as a browser. One that failed to open is tried again. */
export function heldResources(): HeldResources {
  const open = new Map<string, Promise<{ close(): Promise<void> }>>();
  return {
    hold: <T extends { close(): Promise<void> }>(name: string, make: () => Promise<T>): Promise<T> => {
      const known = open.get(name) as Promise<T> | undefined;
      if (known) return known;
      const made = make();
      open.set(name, made);
      made.catch(() => open.delete(name));
      return made;
    },
    close: async () => {
      const all = [...open.values()];
      open.clear();
      await Promise.allSettled(all.map(async (resource) => (await resource).close()));
    },
  };
}
