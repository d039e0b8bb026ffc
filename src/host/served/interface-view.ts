import type { Said } from './said.ts';

export const INTERFACE_PARTS = ['model', 'memory', 'telemetry', 'executors', 'alerts', 'execution'] as const;

/** One way in or out of this home, and whether it can be used. Names of keys stand in it, never their values. */
export interface InterfaceView {
  readonly name: string;
  readonly part: (typeof INTERFACE_PARTS)[number];
  readonly state: 'ready' | 'missing' | 'off';
  /** What is there, or what is missing. */
  readonly what?: Said;
  /** How to set it. */
  readonly fix?: Said;
  /** What to type, or the lines to put into a file. */
  readonly paste?: { readonly text: string; readonly file?: string };
}
