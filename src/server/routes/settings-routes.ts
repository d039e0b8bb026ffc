import {
  API,
  type Given,
  type InterfaceView,
  type Person,
  type ServedStatus,
  type Settings,
} from '#spec/api';
import type { Route } from '#spec/ports';
import { implement } from '../implement.ts';

export interface SettingsPlace {
  readonly version: string;
  readonly profile: string;
  interfaces(): Promise<readonly Given<InterfaceView>[]>;
  status(): Promise<Given<ServedStatus>>;
  listeners(): number;
  /** Who may sign in, without what they sign in with. */
  readonly people: readonly Person[];
}

/** What is connected, and how the process does. */
export const settingsRoutes = (place: SettingsPlace): Route[] => [
  implement(API.settings.show, async () => ({
    body: {
      interfaces: await place.interfaces(),
      version: place.version,
      profile: place.profile,
      server: vitals(place.listeners()),
    },
  })),
  implement(API.settings.people, async () => ({ body: { people: place.people } })),
  implement(API.settings.status, async () => ({ body: await place.status() })),
];

const vitals = (listeners: number): Settings['server'] => ({
  pid: process.pid,
  startedAt: new Date(Date.now() - process.uptime() * 1_000).toISOString(),
  memory: process.memoryUsage.rss(),
  listeners,
  node: process.version,
  system: `${process.platform} ${process.arch}`,
});
