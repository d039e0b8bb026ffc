import { z } from 'zod';
import { defineRoute, type Route } from '#spec/ports';
import { readJson } from './read-json.ts';

/** A system to break, where one runs beside the server. */
export interface DemoControls {
  readonly faults: readonly {
    readonly id: string;
    readonly title: { readonly en: string; readonly zh: string };
  }[];
  /** Ends what was injected before, and does this. */
  inject(fault: string): Promise<void>;
  clear(): Promise<void>;
  /** The fault that was injected last and not cleared. */
  active(): string | undefined;
}

const Inject = z.strictObject({ fault: z.string().min(1).max(200) });

/** The demo, from the console. Without one there is nothing to do, and it says so. */
export function demoRoutes(demo: DemoControls | undefined): Route[] {
  const shown = () => {
    const active = demo?.active();
    const faults = demo?.faults.map(({ id, title }) => ({ id, title })) ?? [];
    return { running: demo !== undefined, faults, ...(active === undefined ? {} : { active }) };
  };
  const look = defineRoute({
    method: 'GET',
    path: '/api/demo',
    access: 'read',
    about: { summary: 'Whether a demo runs; faults that can be injected, and the one that is' },
    handle: async () => ({ status: 200, body: shown() }),
  });
  if (!demo) return [look];
  return [
    look,
    defineRoute({
      method: 'POST',
      path: '/api/demo/inject',
      access: 'write',
      about: { summary: 'Inject a fault', body: Inject },
      handle: async (request) => {
        await demo.inject(readJson(request, Inject).fault);
        return { status: 200, body: shown() };
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/demo/clear',
      access: 'write',
      about: { summary: 'Everything as on a good day' },
      handle: async () => {
        await demo.clear();
        return { status: 200, body: shown() };
      },
    }),
  ];
}
