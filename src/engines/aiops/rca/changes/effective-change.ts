import type { Change } from '#spec/data';
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

/** The deploy names this very commit, the next deploy of a service whose files it touches, any next deploy, none. */
const SURE = { named: 1, touched: 0.9, shared: 0.6, never: 0.3 } as const;

const seconds = (instant: string): number => Date.parse(instant) / 1000;

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
  const touched = later.find(({ service }) => service !== undefined && touches(nature.files, service));
  const [deploy, sure] = named[0]
    ? [named[0], SURE.named]
    : touched
      ? [touched, SURE.touched]
      : isShared(nature.files) && later[0]
        ? [later[0], SURE.shared]
        : [undefined, deploys.length ? SURE.never : SURE.touched];
  const own = change.service === undefined ? [] : [change.service];
  const carriers = named.length ? named : deploy ? [deploy] : [];
  const services = carriers.flatMap(({ service }) => (service === undefined ? [] : [service]));
  return {
    change,
    nature,
    at: seconds(deploy?.time ?? change.time),
    services: [...new Set([...own, ...services])],
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

/** Whether a path has a part that is the service, with or without `service` or `svc` at its end. */
function touches(files: readonly string[], service: string): boolean {
  const bare = (name: string): string => name.toLowerCase().replace(/[-_]?(?:service|svc|server|app)$/, '');
  const wanted = bare(service);
  return (
    wanted.length > 2 &&
    files.some((file) =>
      file
        .split('/')
        .slice(0, -1)
        .some((part) => bare(part) === wanted),
    )
  );
}

const SHARED_FILE =
  /^(?:pkg|lib|libs|internal|common|shared|platform|vendor|packages|config|deploy|charts)\/|^[^/]+$/;
const isShared = (files: readonly string[]): boolean =>
  !files.length || files.some((file) => SHARED_FILE.test(file));
