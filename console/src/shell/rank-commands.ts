import type { Command } from '../domains/keys/commands.tsx';

/** Those that have all typed letters in order; whole words first, the rest as they came. */
export function rankCommands(commands: readonly Command[], typed: string): readonly Command[] {
  const asked = typed.trim().toLowerCase();
  if (!asked) return commands;
  return commands
    .map((command) => ({ command, rank: rankOf(command.label.toLowerCase(), asked) }))
    .filter(({ rank }) => rank < 3)
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ command }) => command);
}

function rankOf(label: string, asked: string): number {
  if (label.startsWith(asked)) return 0;
  if (label.includes(asked)) return 1;
  let from = 0;
  for (const letter of asked) {
    from = label.indexOf(letter, from) + 1;
    if (from === 0) return 3;
  }
  return 2;
}
