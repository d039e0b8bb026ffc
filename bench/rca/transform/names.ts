import type { Telemetry } from '#spec/data';
import { remeasured } from './measures.ts';
import { nameReplacer } from './replace-names.ts';
import { servicesOf, vendorOf } from './services-of.ts';
import { type LabelledCase, ofTelemetry, type Transform } from './transform.ts';

/** Of these letters no word is made, and no short form of one either. */
const LETTERS = 'bdghjkwz';
const NAME_LENGTH = 7;

/** Letters that say nothing, and that no other name has. */
function meaningless(random: () => number, taken: ReadonlySet<string>): string {
  for (;;) {
    const name = Array.from(
      { length: NAME_LENGTH },
      () => LETTERS[Math.floor(random() * LETTERS.length)],
    ).join('');
    if (!taken.has(name)) return name;
  }
}

function meaninglessFor(names: readonly string[], random: () => number): Map<string, string> {
  const given = new Map<string, string>();
  const taken = new Set<string>();
  for (const name of names) {
    const other = meaningless(random, taken);
    taken.add(other);
    given.set(name, other);
  }
  return given;
}

function withOpaqueMetrics(telemetry: Telemetry, random: () => number): Telemetry | undefined {
  const given = new Map<string, string>();
  return remeasured(telemetry, (base) => {
    const name = given.get(base) ?? meaningless(random, new Set(given.values()));
    given.set(base, name);
    return { base: name, value: (value) => value };
  });
}

function withRandomServices(given: LabelledCase, random: () => number): LabelledCase {
  const names = meaninglessFor(servicesOf(given.telemetry), random);
  return {
    ...given,
    telemetry: nameReplacer(names)(given.telemetry),
    cause: names.get(given.cause) ?? given.cause,
    recorded: new Map([...names].map(([name, other]) => [other, name])),
  };
}

function withOtherFeed(telemetry: Telemetry): Telemetry | undefined {
  const feeds = new Map(
    telemetry.logs.flatMap(({ service }) => {
      const vendor = vendorOf(service);
      return vendor === undefined ? [] : [[service, `updates-from-${vendor}`] as const];
    }),
  );
  return feeds.size ? nameReplacer(feeds)(telemetry) : undefined;
}

export const NAME_TRANSFORMS = {
  'opaque-metric-names': ofTelemetry('cause', withOpaqueMetrics),
  'random-service-names': { leaves: 'answer', apply: withRandomServices },
  'vendor-feed-renamed': ofTelemetry('cause', withOtherFeed),
} satisfies Readonly<Record<string, Transform>>;
