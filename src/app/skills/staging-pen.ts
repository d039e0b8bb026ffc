import type { LearningDeps, SkillChange } from '#engines/learning';
import { homeScope } from '#engines/memory';
import { shownChange } from '#engines/skills';
import { fail } from '#kit/app-error';
import { findCredential } from '#kit/find-credential';
import { isRecord } from '#kit/is-record';
import { newId } from '#kit/new-id';
import { localView } from '../terminal/find-session.ts';
import type { Dependencies } from '../dependencies.ts';

type Needs = Pick<Dependencies, 'memory'>;

/** The name under which changes of the loop wait. */
export const LEARNED_CHANGE = 'skill_change';

interface LoopPenOptions {
  /** Everything waits for a person. */
  readonly approve: boolean;
  readonly experiences: Pick<LearningDeps['experiences'], 'list'>;
}

/**
 * What the loop writes skills with. A change waits for whoever owns this home where they or the skill want that, and where it was
 * learned from what others did: all people of a home read its skills, and the words of one are not for everybody. The
 * same wish waits once.
 */
export const loopPen = (
  deps: Needs,
  pen: LearningDeps['pen'],
  { approve, experiences }: LoopPenOptions,
): LearningDeps['pen'] => ({
  undo: pen.undo,
  apply: async (change: SkillChange) => {
    const asks = approve || change.confirm === true;
    if (!asks && (await isOfOwner(change.from ?? [], experiences))) return pen.apply(change);
    const secret = change.changes.map(({ text = '' }) => findCredential(text)).find(Boolean);
    if (secret) throw fail('tool.refused', `The text of '${change.skill}' holds a credential (${secret})`);
    const { staged } = await deps.memory();
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

async function isOfOwner(
  ids: readonly string[],
  experiences: LoopPenOptions['experiences'],
): Promise<boolean> {
  if (ids.length === 0) return true;
  const own = [homeScope('note', localView()), homeScope('incident_summary', localView())];
  const led = await experiences.list({ ids, limit: ids.length });
  return led.every(({ scope }) => own.includes(scope));
}

/** Whether a wish that waits is for the same change, however its text has grown since. */
const sameWish = (input: unknown, { action, skill, why }: SkillChange): boolean =>
  isRecord(input) && input.action === action && input.skill === skill && input.why === why;
