import type { Change } from '#spec/data';
import type { WorldChange } from '../world/changes.ts';
import type { World } from '../world/world.ts';
import type { Form } from './form.ts';

const iso = (time: number): string => new Date(time * 1000).toISOString();

/** What is on record up to an instant. Undefined where nobody keeps one. */
export function renderChanges(
  { changes }: World,
  { changes: told, rolloutTold }: Form,
  until: number,
): Change[] | undefined {
  if (told === 'none') return undefined;
  return changes
    .flatMap((change) => written(change, rolloutTold, told === 'diffs'))
    .filter(({ time }) => Date.parse(time) / 1000 <= until);
}

function written(change: WorldChange, told: Form['rolloutTold'], withDiff: boolean): Change[] {
  const { id, kind, service, summary, files, diff, commit, rollout, setting } = change;
  const details = {
    ...(withDiff && files ? { files, diff } : {}),
    ...(commit === undefined ? {} : { commit }),
    ...(rollout ? { version: rollout.version, from: rollout.before, to: rollout.version } : {}),
    ...(setting
      ? kind === 'flag'
        ? { flag: setting.key, change: `${setting.from}->${setting.to}` }
        : { ...setting }
      : {}),
  };
  const steps = rollout?.steps ?? [];
  const at = rollout && told === 'end' ? (steps.at(-1)?.time ?? change.time) : change.time;
  const whole: Change = {
    id,
    kind,
    ...(service === undefined ? {} : { service }),
    time: iso(at),
    summary,
    ...(Object.keys(details).length
      ? {
          details: {
            ...details,
            ...(told === 'steps' && rollout
              ? { steps: steps.map(({ time, share }) => ({ time: iso(time), share })) }
              : {}),
          },
        }
      : {}),
  };
  return [whole];
}
