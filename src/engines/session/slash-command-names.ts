import { commands } from './commands.gen.ts';

/** The names of the commands that every conversation has. */
export const slashCommandNames = (): string[] => Object.keys(commands);
