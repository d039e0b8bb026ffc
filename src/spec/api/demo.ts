import { z } from 'zod';
import { Text } from '#spec/data';
import { defineContracts } from './contract.ts';

const Demo = z.object({
  running: z.boolean(),
  faults: z.array(z.object({ id: z.string(), title: Text })),
  /** The fault that was injected last and not cleared. */
  active: z.string().optional(),
});
export type Demo = z.infer<typeof Demo>;

/** The system to break, where one runs beside the server. Without one only `show` is served. */
export const DEMO = defineContracts({
  show: {
    method: 'GET',
    path: '/api/demo',
    access: 'read',
    summary: 'Whether a demo runs; faults that can be injected, and the one that is',
    answer: Demo,
  },
  inject: {
    method: 'POST',
    path: '/api/demo/inject',
    access: 'write',
    summary: 'Inject a fault',
    body: z.strictObject({ fault: z.string().min(1).max(200) }),
    answer: Demo,
  },
  clear: {
    method: 'POST',
    path: '/api/demo/clear',
    access: 'write',
    summary: 'Everything as on a good day',
    answer: Demo,
  },
});
