import { z } from 'zod';
import { hintOf, messageOf, toErrorRecord } from '#kit/app-error';
import { tell } from '#kit/text';
import { defineSandbox } from '#spec/ports';
import { openRemote } from './open-remote.ts';

/** Nothing that `ssh` could take for an option. */
const Word = z.string().regex(/^[\w][\w.:@%+-]*$/, 'must be a plain name');

const Options = z.strictObject({
  host: Word,
  port: z.number().int().min(1).max(65_535).default(22),
  user: Word.optional(),
  key_file: z.string().min(1).optional(),
  /** Absolute on the other machine. Without it, the home there. */
  working_dir: z.string().startsWith('/').optional(),
  /** Runs every command under bubblewrap there; refuses where that is not possible. */
  sandbox: z.boolean().default(false),
  /** The network of sandboxed commands. */
  network: z.boolean().default(false),
  /** `accept-new` trusts a host that was never seen. One that has changed is always refused. */
  host_key: z.enum(['known', 'accept-new']).default('known'),
  known_hosts: z.string().min(1).optional(),
  /** Seconds until the connection has to stand. */
  connect_timeout: z.number().int().min(1).max(600).default(15),
});

/** Commands on another machine, through the `ssh` of this one. */
export const sandbox = defineSandbox<z.infer<typeof Options>>({
  type: 'ssh',
  options: Options,
  async available(options, place) {
    try {
      await (await openRemote(options, place)).close();
      return undefined;
    } catch (thrown) {
      const record = toErrorRecord(thrown);
      const command = `ssh ${options.user ? `${options.user}@` : ''}${options.host}`;
      return {
        what: messageOf(record),
        fix: hintOf(record) ?? tell(`Try: ${command}`, `请试试:${command}`),
      };
    }
  },
  open: openRemote,
});
