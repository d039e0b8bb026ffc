import type { SlashCommand } from '#engines/session';
import type { PluginCommand } from '#spec/ports';

/** Commands of plugins as a conversation has them. They see no more of it than its id. */
export const pluginCommands = (commands: readonly PluginCommand[]): Record<string, SlashCommand> =>
  Object.fromEntries(
    commands.map((command) => [
      command.name,
      {
        summary: { en: command.summary, zh: command.summary },
        ...(command.usage === undefined ? {} : { usage: command.usage }),
        run: (args, { state, signal }) => command.run(args, { session: state.session.id, signal }),
      } satisfies SlashCommand,
    ]),
  );
