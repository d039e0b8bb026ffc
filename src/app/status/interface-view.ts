import type { ReachView } from './view-reach.ts';
import type * as api from '#spec/api';

export type InterfaceView = api.Given<api.InterfaceView>;

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
