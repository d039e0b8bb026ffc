import { z } from 'zod';
import { Text } from '#spec/data';
import { defineContracts } from './contract.ts';
import { Role } from './session.ts';

/** One way in or out of this home, and whether it can be used. Names of keys stand in it, never their values. */
const InterfaceView = z.object({
  name: z.string(),
  part: z.enum(['model', 'memory', 'telemetry', 'executors', 'mcp', 'alerts', 'stores', 'execution']),
  /**
   * `ready`: it was reached, or there is nothing to reach. `failing`: it is set up and was not reached. `unproven`: it is
   * set up, and nobody knows. `missing`: it lacks something. `off`: nobody has set it up.
   */
  state: z.enum(['ready', 'failing', 'unproven', 'missing', 'off']),
  /** When it was last asked, and since when it fails. ISO 8601. */
  at: z.string().optional(),
  since: z.string().optional(),
  /** What is there, or what is missing. */
  what: Text.optional(),
  /** How to set it. */
  fix: Text.optional(),
  /** What to type, or the lines to put into a file. */
  paste: z.object({ text: z.string(), file: z.string().optional() }).optional(),
});
export type InterfaceView = z.infer<typeof InterfaceView>;

const Settings = z.object({
  interfaces: z.array(InterfaceView),
  version: z.string(),
  profile: z.string(),
  server: z.object({
    pid: z.number(),
    startedAt: z.string(),
    /** Bytes. */
    memory: z.number(),
    /** Who listens to events. */
    listeners: z.number(),
    node: z.string(),
    system: z.string(),
  }),
});
export type Settings = z.infer<typeof Settings>;

const Person = z.object({
  user: z.string(),
  role: Role,
  /** Where they stand. */
  by: z.enum(['users.yaml', '.env', 'loopback']),
});
export type Person = z.infer<typeof Person>;

/** Whether one thing can be reached. Times are ISO 8601. */
export const ReachView = z.object({
  part: z.enum(['model', 'telemetry', 'executors', 'mcp', 'stores']),
  name: z.string(),
  state: z.enum(['not_set_up', 'waiting', 'reached', 'failing', 'not_probed']),
  /** When it was last asked. */
  at: z.string().optional(),
  /** Since when it fails. */
  since: z.string().optional(),
  /** Why it is in this state, or what it told. */
  because: Text.optional(),
  fix: Text.optional(),
});
export type ReachView = z.infer<typeof ReachView>;

/** What a process that serves a home says of itself. */
export const ServedStatus = z.object({
  pid: z.number(),
  version: z.string(),
  profile: z.string(),
  /** ISO 8601. */
  startedAt: z.string(),
  incidents: z.object({ open: z.number(), needsPerson: z.number() }),
  approvals: z.number(),
  /** What it reaches out to, and what came of it. */
  reach: z.array(ReachView),
  /** Jobs that cron.yaml lists and nothing runs yet; undefined where there is no such file. */
  cron: z.number().optional(),
  /** What is configured and read by nothing, with its place. */
  unread: z.array(
    z.object({
      source: z.string(),
      line: z.number().optional(),
      column: z.number().optional(),
      path: z.string(),
      message: z.union([z.string(), Text]),
    }),
  ),
  gateway: z.object({ on: z.array(z.string()), off: z.array(z.string()) }),
  memory: z.number(),
  skills: z.object({ all: z.number(), custom: z.number() }),
});
export type ServedStatus = z.infer<typeof ServedStatus>;

/** What is connected, who may come in, and how the process does. */
export const SETTINGS = defineContracts({
  show: {
    method: 'GET',
    path: '/api/settings',
    access: 'read',
    summary: 'What is connected, what is missing and how to set it',
    answer: Settings,
  },
  people: {
    method: 'GET',
    path: '/api/people',
    access: 'admin',
    summary: 'Who may sign in, and as what',
    answer: z.object({ people: z.array(Person) }),
  },
  status: {
    method: 'GET',
    path: '/api/status',
    access: 'read',
    summary: 'How the process that serves this home does',
    answer: ServedStatus,
  },
});
