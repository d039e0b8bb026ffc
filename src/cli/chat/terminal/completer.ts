import type { AutocompleteItem, AutocompleteProvider } from '@earendil-works/pi-tui';
import type { SlashCommandInfo } from '#app/conversation';
import { completeCommand, completePath, pathPrefix, type Suggestions } from '../completion.ts';

/** Completes slash commands at the beginning and `@path` anywhere. */
export function completer(
  commands: readonly SlashCommandInfo[],
  paths: () => Promise<readonly string[]>,
): AutocompleteProvider {
  return {
    triggerCharacters: ['@'],
    shouldTriggerFileCompletion: () => true,
    getSuggestions: async (lines, line, column, { signal }) => {
      const before = (lines[line] ?? '').slice(0, column);
      if (line === 0) {
        const found = completeCommand(before, commands);
        if (found) return mutable(found);
      }
      const prefix = pathPrefix(before);
      if (prefix === undefined) return null;
      const known = await paths();
      const found = signal.aborted ? undefined : completePath(prefix, known);
      return found ? mutable(found) : null;
    },
    applyCompletion: (lines, line, column, item, prefix) => {
      const text = lines[line] ?? '';
      // A folder goes on with what is in it; everything else is complete.
      const value = item.value.endsWith('/') ? item.value : `${item.value} `;
      const start = column - prefix.length;
      const next = text.slice(0, start) + value + text.slice(column).replace(/^ /, '');
      return { lines: lines.with(line, next), cursorLine: line, cursorCol: start + value.length };
    },
  };
}

const mutable = ({ items, prefix }: Suggestions) => ({
  items: items.map((item): AutocompleteItem => ({ ...item })),
  prefix,
});
