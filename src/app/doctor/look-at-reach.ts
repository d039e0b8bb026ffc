import { toErrorRecord } from '#kit/app-error';
import type { Language } from '#kit/language';
import { type HomeReach, reachSentence, type ReachView, viewReach } from '../status/index.ts';
import type { Diagnosis } from './diagnosis.ts';

/** Everything that the home reaches out to, asked side by side. */
export async function lookAtReach(
  open: () => Promise<HomeReach>,
  language: Language,
): Promise<readonly Diagnosis[]> {
  try {
    const reach = await open();
    await reach.askAll();
    // That there is no model has a line of its own.
    const views = reach
      .things()
      .map(viewReach)
      .filter(({ part, state }) => part !== 'model' || state !== 'not_set_up');
    return views.map((view) => {
      return {
        name: view.name,
        state: stateOf(view),
        detail: reachSentence(view, language),
        fix: view.state === 'reached' ? undefined : view.fix?.[language],
      };
    });
  } catch (thrown) {
    const { message, hint } = toErrorRecord(thrown);
    return [{ name: 'backends.yaml', state: 'bad', detail: message, fix: hint }];
  }
}

/** That no model is connected is a choice; anything else that is configured has to work. */
function stateOf({ state, part }: ReachView): Diagnosis['state'] {
  if (state === 'failing') return 'bad';
  if (state === 'not_set_up') return part === 'model' || part === 'mcp' ? 'warn' : 'bad';
  return 'good';
}
