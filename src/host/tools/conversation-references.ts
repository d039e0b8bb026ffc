import { localReferences } from '#adapters/references';
import type { OpenPowers } from './open-powers.ts';

/** What `@` references of a conversation read; `onPage` hears of every page that strangers have written. */
export function conversationReferences({ powers, backends }: OpenPowers, onPage: () => Promise<void>) {
  const own = localReferences(powers.files, powers.web, async (command, signal) => {
    const { workspace } = await backends.sandbox();
    return powers.commands.run({ command, cwd: workspace }, signal);
  });
  return {
    ...own,
    url: async (address: string, signal: AbortSignal): Promise<string | undefined> => {
      const text = await own.url(address, signal);
      if (text !== undefined) await onPage();
      return text;
    },
  };
}
