import { tell } from '#kit/text';
import { z } from 'zod';
import { defineTelemetry } from '#spec/ports';
import { fileChanges, readChanges } from './file-changes.ts';

const Settings = z.strictObject({ path: z.string().min(1) });

/** Changes from a file: a list of them, or the deploy registry that the demo and its executor share. */
export const telemetry = defineTelemetry({
  name: 'json_file',
  settings: Settings,
  open: ({ path }) =>
    Promise.resolve({
      changes: fileChanges(path),
      probe: async () => {
        const { length } = await readChanges(path);
        return { state: 'reached', detail: tell(`${length} changes`, `${length} 条变更`) };
      },
      close: () => Promise.resolve(),
    }),
});
