import { z } from 'zod';
import { hintOf, messageOf, toErrorRecord } from '#kit/app-error';
import { tell } from '#kit/text';
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
      const record = toErrorRecord(thrown);
      return {
        what: messageOf(record),
        fix:
          hintOf(record) ??
          tell(
            'See whether user namespaces are switched on for this user.',
            '请检查该用户是否可以使用用户命名空间。',
          ),
      };
    }
  },
  open: openNamespace,
});
