// Written by `npm run gen` from the files in session/commands. Do not edit.
import { command as approve_ } from './commands/approve.ts';
import { command as compress_ } from './commands/compress.ts';
import { command as context_ } from './commands/context.ts';
import { command as deny_ } from './commands/deny.ts';
import { command as fork_ } from './commands/fork.ts';
import { command as help_ } from './commands/help.ts';
import { command as model_ } from './commands/model.ts';
import { command as new_ } from './commands/new.ts';
import { command as quit_ } from './commands/quit.ts';
import { command as resume_ } from './commands/resume.ts';
import { command as retry_ } from './commands/retry.ts';
import { command as rollback_ } from './commands/rollback.ts';
import { command as title_ } from './commands/title.ts';
import { command as undo_ } from './commands/undo.ts';
import { command as usage_ } from './commands/usage.ts';

export const commands = {
  approve: async () => approve_,
  compress: async () => compress_,
  context: async () => context_,
  deny: async () => deny_,
  fork: async () => fork_,
  help: async () => help_,
  model: async () => model_,
  new: async () => new_,
  quit: async () => quit_,
  resume: async () => resume_,
  retry: async () => retry_,
  rollback: async () => rollback_,
  title: async () => title_,
  undo: async () => undo_,
  usage: async () => usage_,
} as const;
