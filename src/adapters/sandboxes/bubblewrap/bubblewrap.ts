import { z } from 'zod';
import { toErrorRecord } from '#kit/app-error';
import { defineSandbox } from '#spec/ports';
import { HostPattern } from './host-pattern.ts';
import { openNamespace } from './open-namespace.ts';

const Options = z.strictObject({
  working_dir: z.string().startsWith('/').optional(),
  /** Off, on, or through a proxy that lets these hosts pass. */
  network: z.union([z.boolean(), z.strictObject({ allow: z.array(HostPattern).min(1) })]).default(false),
  /** More of this machine that commands may read. */
  read: z.array(z.string().startsWith('/')).default([]),
});
type Options = z.infer<typeof Options>;

/** Commands in namespaces of their own: a read-only system, a writable workspace, no capabilities, no network. */
export const sandbox = defineSandbox<Options>({
  type: 'bubblewrap',
  options: Options,
  async available(options, place) {
    try {
      await (await openNamespace(options, place)).close();
      return undefined;
    } catch (thrown) {
      const { message, hint } = toErrorRecord(thrown);
      return { what: message, fix: hint ?? 'See whether user namespaces are switched on for this user.' };
    }
  },
  open: openNamespace,
});
