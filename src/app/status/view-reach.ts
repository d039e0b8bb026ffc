import { z } from 'zod';
import { asText } from '#kit/text';
import { type Reach, Text } from '#spec/data';
import type { ReachedThing } from './home-reach.ts';
import { REACH_PARTS } from './reach-part.ts';

/** Whether one thing can be reached, as it goes over wires. Times are ISO 8601. */
export const ReachView = z.object({
  part: z.enum(REACH_PARTS),
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

export const viewReach = ({ part, name, reach }: ReachedThing): ReachView => ({
  part,
  name,
  ...reachFacts(reach),
});

function reachFacts(reach: Reach): Omit<ReachView, 'part' | 'name'> {
  const because = 'because' in reach ? reach.because : 'detail' in reach ? reach.detail : undefined;
  return {
    state: reach.state,
    ...('at' in reach ? { at: reach.at } : {}),
    ...('since' in reach ? { since: reach.since } : {}),
    ...(because ? { because: asText(because) } : {}),
    ...('fix' in reach && reach.fix ? { fix: asText(reach.fix) } : {}),
  };
}
