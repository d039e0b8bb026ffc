import { z } from 'zod';
import { INTERFACE_PARTS, type InterfaceView, type ServedStatus } from '#host';
import { defineRoute, type Route } from '#spec/ports';

const Settings = z.object({
  interfaces: z.array(
    z.object({
      name: z.string(),
      part: z.enum(INTERFACE_PARTS),
      state: z.enum(['ready', 'missing', 'off']),
      what: z.string().optional(),
      fix: z.string().optional(),
    }),
  ),
  version: z.string(),
  profile: z.string(),
});

export interface SettingsPlace {
  readonly version: string;
  readonly profile: string;
  interfaces(): Promise<readonly InterfaceView[]>;
  status(): Promise<ServedStatus>;
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
      body: { interfaces: await place.interfaces(), version: place.version, profile: place.profile },
    }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/status',
    access: 'read',
    about: { summary: 'How the process that serves this home does' },
    handle: async () => ({ status: 200, body: await place.status() }),
  }),
];
