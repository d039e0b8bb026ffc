import type { LearningDeps, SkillChange } from '#engines/learning';
import { homeScope } from '#engines/memory';
import { shownChange } from '#engines/skills';
import { fail } from '#kit/app-error';
import { isRecord } from '#kit/is-record';
import { newId } from '#kit/new-id';
import { localView } from '../find-session.ts';
import type { Host } from '../open-host.ts';

/** The name under which changes of the loop wait. */
export const LEARNED_CHANGE = 'skill_change';

/** Has what the loop wants to write wait for a person. The same wish waits once. */
export const stagingPen = (host: Host, pen: LearningDeps['pen']): LearningDeps['pen'] => ({
  undo: pen.undo,
  apply: async (change: SkillChange) => {
    const { staged } = await host.memory();
    const scope = homeScope('note', localView());
    const head = `${change.action} ${change.skill}: ${change.why}`;
    const waiting = await staged.list([scope]);
    if (!waiting.some((write) => write.tool === LEARNED_CHANGE && sameWish(write.input, change))) {
      const files = change.changes.map(({ path, text }) =>
        text === undefined ? `- ${path}` : `${path}\n${text}`,
      );
      const shown = shownChange(head, files);
      const at = Date.now();
      const input = { ...change };
      const why = 'learned from what was done';
      await staged.add({
        id: newId('wr'),
        scope,
        target: 'skill',
        tool: LEARNED_CHANGE,
        input,
        shown,
        why,
        at,
      });
    }
    throw fail('tool.refused', `${change.skill} waits for approval`, 'hermes memory pending');
  },
});

/** Whether a wish that waits is for the same change, however its text has grown since. */
const sameWish = (input: unknown, { action, skill, why }: SkillChange): boolean =>
  isRecord(input) && input.action === action && input.skill === skill && input.why === why;
