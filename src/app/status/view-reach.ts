import { asText } from '#kit/text';
import type * as api from '#spec/api';
import type { Reach } from '#spec/data';
import type { ReachedThing } from './home-reach.ts';

export type ReachView = api.Given<api.ReachView>;

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
