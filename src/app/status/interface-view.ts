import type { ReachView } from './view-reach.ts';
import type { Text } from '#kit/text';

const INTERFACE_PARTS = [
  'model',
  'memory',
  'telemetry',
  'executors',
  'mcp',
  'alerts',
  'stores',
  'execution',
] as const;

/**
 * `ready`: it was reached, or there is nothing to reach. `failing`: it is set up and was not reached. `unproven`: it is
 * set up, and nobody knows. `missing`: it lacks something. `off`: nobody has set it up.
 */
const INTERFACE_STATES = ['ready', 'failing', 'unproven', 'missing', 'off'] as const;

/** One way in or out of this home, and whether it can be used. Names of keys stand in it, never their values. */
export interface InterfaceView {
  readonly name: string;
  readonly part: (typeof INTERFACE_PARTS)[number];
  readonly state: (typeof INTERFACE_STATES)[number];
  /** When it was last asked, and since when it fails. ISO 8601. */
  readonly at?: string;
  readonly since?: string;
  /** What is there, or what is missing. */
  readonly what?: Text;
  /** How to set it. */
  readonly fix?: Text;
  /** What to type, or the lines to put into a file. */
  readonly paste?: { readonly text: string; readonly file?: string };
}

/** The state of what is reached out to. */
export const interfaceState = ({ state }: ReachView): InterfaceView['state'] =>
  (
    ({
      not_set_up: 'missing',
      waiting: 'unproven',
      not_probed: 'unproven',
      reached: 'ready',
      failing: 'failing',
    }) as const
  )[state];
