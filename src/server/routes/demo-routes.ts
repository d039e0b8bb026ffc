import { API, type Demo } from '#spec/api';
import type { Route } from '#spec/ports';
import { implement } from '../implement.ts';

/** A system to break, where one runs beside the server. */
export interface DemoControls {
  readonly faults: readonly Demo['faults'][number][];
  /** Ends what was injected before, and does this. */
  inject(fault: string): Promise<void>;
  clear(): Promise<void>;
  /** The fault that was injected last and not cleared. */
  active(): string | undefined;
}

/** The demo, from the console. Without one there is nothing to do, and it says so. */
export function demoRoutes(demo: DemoControls | undefined): Route[] {
  const shown = () => {
    const active = demo?.active();
    const faults = demo?.faults.map(({ id, title }) => ({ id, title })) ?? [];
    return { running: demo !== undefined, faults, ...(active === undefined ? {} : { active }) };
  };
  const show = implement(API.demo.show, async () => ({ body: shown() }));
  if (!demo) return [show];
  return [
    show,
    implement(API.demo.inject, async ({ body: { fault } }) => {
      await demo.inject(fault);
      return { body: shown() };
    }),
    implement(API.demo.clear, async () => {
      await demo.clear();
      return { body: shown() };
    }),
  ];
}
