import type { Change } from '#spec/data';
import { HALF } from '../finding.ts';
import { seconds } from '../windows.ts';
import { type ChangeNature, changeNature } from './change-nature.ts';
import { isDeploy, takenBack } from './taken-back.ts';

/** A change with the moment from which it could do harm. */
export interface EffectiveChange {
  readonly change: Change;
  readonly nature: ChangeNature;
  /** Unix seconds. */
  readonly at: number;
  /** Services that run it. Empty where nobody knows. */
  readonly services: readonly string[];
  /** The deploy that brought it. */
  readonly deploy: Change | undefined;
  /** Until when, in unix seconds, where a later change put back what it replaced. */
  readonly until: number | undefined;
  /** It only put back what had been there before, or ended an earlier incident. */
  readonly restores: boolean;
  /** 1 where it surely runs; less where only the order of events suggests it. */
  readonly sure: number;
}

/** The deploy names this very commit, or its service has the files; any next deploy; none. */
const SURE = { named: 1, shared: HALF, never: HALF ** 2 };

/**
 * A commit does nothing until it is deployed: it counts from the deploy that names it, or from the next one that must
 * have carried it along. A deploy whose commit is known is that commit's; one whose commit is not stands for itself.
 */
export function effectiveChanges(changes: readonly Change[]): EffectiveChange[] {
  const deploys = changes
    .filter(isDeploy)
    .toSorted((one, other) => seconds(one.time) - seconds(other.time) || (one.id < other.id ? -1 : 1));
  const commits = changes.filter(({ kind }) => kind === 'commit');
  const carried = new Set(deploys.filter((deploy) => commits.some((commit) => brings(deploy, commit))));
  return changes
    .filter((change) => !carried.has(change))
    .map((change) =>
      change.kind === 'commit' ? effectiveCommit(change, deploys, changes) : effectiveAtOnce(change, changes),
    );
}

/** From when to when it ran, as later changes tell it. */
function lifeOf(change: Change, all: readonly Change[]): Pick<EffectiveChange, 'until' | 'restores'> {
  const { by, restores } = takenBack(change, all);
  return { until: by && seconds(by.time), restores };
}

function effectiveAtOnce(change: Change, all: readonly Change[]): EffectiveChange {
  const services = change.service === undefined ? [] : [change.service];
  return {
    change,
    nature: changeNature(change),
    at: seconds(change.time),
    services,
    deploy: undefined,
    ...lifeOf(change, all),
    sure: 1,
  };
}

function effectiveCommit(
  change: Change,
  deploys: readonly Change[],
  all: readonly Change[],
): EffectiveChange {
  const nature = changeNature(change);
  const later = deploys.filter(({ time }) => seconds(time) >= seconds(change.time));
  const named = deploys.filter((deploy) => brings(deploy, change));
  const owners = ownersOf(nature.files, deploys);
  const own = named[0] ?? later.find(({ service }) => owners.has(service));
  const [deploy, sure] =
    own || !deploys.length
      ? [own, SURE.named]
      : !owners.size && later[0]
        ? [later[0], SURE.shared]
        : [undefined, SURE.never];
  const stated = change.service === undefined ? [] : [change.service];
  const carriers = named.length ? named : deploy ? [deploy] : [];
  const services = carriers.flatMap(({ service }) => (service === undefined ? [] : [service]));
  return {
    change,
    nature,
    at: seconds(deploy?.time ?? change.time),
    services: [...new Set([...stated, ...services])],
    deploy,
    ...lifeOf(deploy ?? change, all),
    sure,
  };
}

/** Whether a deploy names this commit. Short and long forms name the same one. */
export function brings(deploy: Change, commit: Change): boolean {
  const named = deploy.details?.['commit'];
  if (typeof named !== 'string' || named.length < 7) return false;
  return commit.id.startsWith(named) || named.startsWith(commit.id);
}

/** Services that have a folder of their name; else those of which one name begins as the other does: `cart`, `cart-service`. */
function ownersOf(files: readonly string[], deploys: readonly Change[]): ReadonlySet<string | undefined> {
  const folders = files.flatMap((file) => file.toLowerCase().split('/').slice(0, -1)).filter(Boolean);
  const called = (is: (name: string, folder: string) => boolean): (string | undefined)[] =>
    deploys
      .map(({ service }) => service)
      .filter((service) => service && folders.some((folder) => is(service.toLowerCase(), folder)));
  const same = called((name, folder) => name === folder);
  return new Set(
    same.length ? same : called((name, folder) => name.startsWith(folder) || folder.startsWith(name)),
  );
}
