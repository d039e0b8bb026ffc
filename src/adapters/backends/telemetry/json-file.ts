import { z } from 'zod';
import { defineTelemetry } from '#spec/ports';
import { fileChanges } from '../deploys/file-changes.ts';

const Settings = z.strictObject({ path: z.string().min(1) });

/** Changes from a file: a list of them, or the deploy registry that the demo and its executor share. */
export const telemetry = defineTelemetry({
  name: 'json_file',
  settings: Settings,
  open: ({ path }) => Promise.resolve({ changes: fileChanges(path), close: () => Promise.resolve() }),
});
