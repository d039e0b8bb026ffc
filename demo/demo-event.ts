import type { ServiceName } from './system/service-names.ts';

/** What happens in the demo, for whoever watches. */
export type DemoEvent =
  | {
      readonly type: 'service.started';
      readonly service: ServiceName;
      readonly pid: number;
      readonly restarts: number;
    }
  /** It ended without being told to. */
  | { readonly type: 'service.crashed'; readonly service: ServiceName; readonly code: number | null }
  | { readonly type: 'fault.injected'; readonly fault: string }
  | { readonly type: 'fault.cleared' }
  /** The registry has a new entry: somebody deployed, configured or repaired something. */
  | { readonly type: 'registry.changed'; readonly service: string; readonly summary: string }
  | {
      readonly type: 'alert.firing';
      readonly alert: string;
      readonly service: string;
      readonly summary: string;
    }
  | { readonly type: 'alert.resolved'; readonly alert: string; readonly service: string }
  /** The webhook did not take an alert; it is tried again. */
  | {
      readonly type: 'alert.undelivered';
      readonly alert: string;
      readonly service: string;
      readonly why: string;
    };

export type Announce = (event: DemoEvent) => void;
