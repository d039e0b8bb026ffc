import { z } from 'zod';
import { INTERFACE_PARTS, INTERFACE_STATES, type InterfaceView, type ServedStatus } from '#host';
import { defineRoute, type Route } from '#spec/ports';

const Said = z.object({ en: z.string(), zh: z.string() });
const ServerVitals = z.object({
  pid: z.number(),
  startedAt: z.string(),
  /** Bytes. */
  memory: z.number(),
  /** Who listens to events. */
  listeners: z.number(),
  node: z.string(),
  system: z.string(),
});
const Settings = z.object({
  interfaces: z.array(
    z.object({
      name: z.string(),
      part: z.enum(INTERFACE_PARTS),
      state: z.enum(INTERFACE_STATES),
      /** When it was last asked, and since when it fails. */
      at: z.string().optional(),
      since: z.string().optional(),
      what: Said.optional(),
      fix: Said.optional(),
      paste: z.object({ text: z.string(), file: z.string().optional() }).optional(),
    }),
  ),
  version: z.string(),
  profile: z.string(),
  server: ServerVitals,
});
const People = z.object({
  people: z.array(
    z.object({ user: z.string(), role: z.string(), by: z.enum(['users.yaml', '.env', 'loopback']) }),
  ),
});
type Person = z.infer<typeof People>['people'][number];

export interface SettingsPlace {
  readonly version: string;
  readonly profile: string;
  interfaces(): Promise<readonly InterfaceView[]>;
  status(): Promise<ServedStatus>;
  listeners(): number;
  /** Who may sign in, without what they sign in with. */
  readonly people: readonly Person[];
}

/** What is connected, and how the process does. */
export const settingsRoutes = (place: SettingsPlace): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/api/settings',
    access: 'read',
    about: { summary: 'What is connected, what is missing and how to set it', answer: Settings },
    handle: async () => ({
      status: 200,
      body: {
        interfaces: await place.interfaces(),
        version: place.version,
        profile: place.profile,
        server: vitals(place.listeners()),
      },
    }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/people',
    access: 'admin',
    about: { summary: 'Who may sign in, and as what', answer: People },
    handle: async () => ({ status: 200, body: { people: place.people } }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/status',
    access: 'read',
    about: { summary: 'How the process that serves this home does' },
    handle: async () => ({ status: 200, body: await place.status() }),
  }),
];

const vitals = (listeners: number): z.infer<typeof ServerVitals> => ({
  pid: process.pid,
  startedAt: new Date(Date.now() - process.uptime() * 1_000).toISOString(),
  memory: process.memoryUsage.rss(),
  listeners,
  node: process.version,
  system: `${process.platform} ${process.arch}`,
});
