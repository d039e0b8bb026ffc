import { shuffled } from '../../learning/seeded.ts';
import type { Change, Telemetry } from '#spec/data';
import { servicesOf } from './services-of.ts';
import { rollOut } from './roll-out.ts';
import type { LabelledCase, Transform } from './transform.ts';

const DECOYS = 4;
const ROLLOUTS = 3;
/** A decoy comes at most this many seconds before or after what it is to be taken for. */
const NEAR_S = 300;
/** Before the alert, where no change is to blame. */
const BEFORE_ALERT_S = 300;

const seconds = (instant: string): number => Date.parse(instant) / 1000;
const instant = (time: number): string => new Date(Math.round(time) * 1000).toISOString();

/** Without the guilty change, the deploy that brought it and the commit that it brought: none of the others did it. */
function withoutCulprit({ telemetry, cause, ...given }: LabelledCase): LabelledCase | undefined {
  const culprit = telemetry.changes?.find(({ id }) => id === cause);
  if (!culprit) return undefined;
  const brought = culprit.details?.['commit'];
  const changes = telemetry.changes?.filter(
    ({ id, details }) => id !== cause && id !== brought && details?.['commit'] !== cause,
  );
  return { ...given, telemetry: { ...telemetry, ...(changes ? { changes } : {}) }, cause: 'none' };
}

/** Changes that did nothing, at the places, in the minutes and in the words of the incident. */
function withDecoys(given: LabelledCase, random: () => number): LabelledCase {
  const { telemetry, cause } = given;
  const culprit = telemetry.changes?.find(({ id }) => id === cause);
  const carrier = telemetry.changes?.find(({ details }) => details?.['commit'] === cause);
  const time = culprit
    ? seconds((carrier ?? culprit).time)
    : seconds(telemetry.bundle.startsAt) - BEFORE_ALERT_S;
  const places = placesNear(telemetry, culprit ? (carrier ?? culprit).service : undefined, cause, random);
  const decoys = Array.from({ length: DECOYS }, (_, index): Change[] => {
    const service = places[index % places.length];
    if (service === undefined) return [];
    const at = instant(time + (2 * random() - 1) * NEAR_S);
    return decoy({
      id: `decoy-${index + 1}`,
      index,
      service,
      at,
      words: wordsOf(telemetry, service, random),
    });
  });
  return { ...given, telemetry: { ...telemetry, changes: [...(telemetry.changes ?? []), ...decoys.flat()] } };
}

/**
 * The guilty change's own service and the alerting one, then those that they call or are called by, then others. Where a
 * service is at fault and nobody changed it, it stays unchanged: nothing would tell a change of it from the cause.
 */
function placesNear(
  telemetry: Telemetry,
  changed: string | undefined,
  cause: string,
  random: () => number,
): string[] {
  const first = [changed, telemetry.bundle.service].filter((name) => name !== undefined);
  const about = new Set([...first, cause]);
  const beside = (telemetry.topology?.edges ?? []).flatMap(({ from, to }) =>
    about.has(from) || about.has(to) ? [from, to] : [],
  );
  const others = shuffled(servicesOf(telemetry), random);
  return [...new Set([...first, ...shuffled(beside, random), ...others])].filter((name) => name !== cause);
}

/** Words of what a service writes and is called by. */
function wordsOf({ logs }: Telemetry, service: string, random: () => number): [string, string] {
  const said = logs.filter((line) => line.service === service).map(({ message }) => message.slice(0, 200));
  const words = `${shuffled(said, random).slice(0, 20).join(' ')} ${service}`
    .toLowerCase()
    .match(/[a-z]{4,}/g);
  const [one = 'request', other = one] = shuffled([...new Set(words)], random);
  return [one, other];
}

interface DecoyPlan {
  readonly id: string;
  readonly index: number;
  readonly service: string;
  readonly at: string;
  readonly words: readonly [string, string];
}

/** In turn a commit with its deploy that moves code, a flag, a setting of the log, a commit with its deploy that logs less. */
function decoy({ id, index, service, at, words: [one, other] }: DecoyPlan): Change[] {
  const commit = (summary: string, diff: string): Change[] => [
    {
      id,
      kind: 'commit',
      time: instant(seconds(at) - NEAR_S),
      summary,
      details: { files: [`internal/${one}/${other}.go`], diff: `@@ internal/${one}/${other}.go @@\n${diff}` },
    },
    {
      id: `${id}-deploy`,
      kind: 'deploy',
      service,
      time: at,
      summary: `${service} ${id}`,
      details: { commit: id, version: id },
    },
  ];
  const forms = [
    () =>
      commit(
        `refactor: name the ${one} reader of ${service} after ${other}`,
        `-func ${one}Of(r Request) string {\n+func ${one}From(r Request) string {`,
      ),
    (): Change[] => {
      const flag = `${service}_${one}_${other}_banner`;
      return [
        {
          id,
          kind: 'flag',
          service,
          time: at,
          summary: `${flag} off->on`,
          details: { flag, change: 'off->on' },
        },
      ];
    },
    (): Change[] => {
      const key = `${one}_log_sample_percent`;
      return [
        {
          id,
          kind: 'config',
          service,
          time: at,
          summary: `${service}: ${key} from 5 to 10`,
          details: { key, from: 5, to: 10 },
        },
      ];
    },
    () =>
      commit(
        `chore: write ${one} ${other} of ${service} at debug level`,
        `-\tlog.Info("${one} ${other}")\n+\tlog.Debug("${one} ${other}")`,
      ),
  ];
  return forms[index % forms.length]?.() ?? [];
}

/** Services that got a new version in steps, which does as well as the old one, where nobody is to blame. */
function withRollouts(given: LabelledCase, random: () => number): LabelledCase | undefined {
  const { telemetry, cause } = given;
  if (cause !== 'none') return undefined;
  const alert = seconds(telemetry.bundle.startsAt);
  return placesNear(telemetry, undefined, cause, random)
    .slice(0, ROLLOUTS)
    .reduce<LabelledCase>((before, service, index) => {
      const from = alert - BEFORE_ALERT_S * (0.5 + random());
      return { ...before, telemetry: rollOut(before.telemetry, service, from, index, random) };
    }, given);
}

export const CHANGE_TRANSFORMS = {
  'culprit-removed': { leaves: 'cause', apply: withoutCulprit },
  decoys: { leaves: 'cause', apply: withDecoys },
  'innocent-rollouts': { leaves: 'cause', apply: withRollouts },
} satisfies Readonly<Record<string, Transform>>;
