import type { CauseCategory } from '#spec/data';
import { LONGEST } from '../logs/template-of.ts';
import { statedPatterns } from '../logs/stated-patterns.ts';
import type { Observations } from '../observe.ts';
import { apart, EXPIRY, sayingOf } from '../sayings.ts';
import { nameCategory } from './name-category.ts';

/** A cause that no change of ours made and undoing none would mend, as the symptoms themselves name it. */
export interface OutsideCause {
  readonly category: CauseCategory;
  readonly service: string | undefined;
  readonly text: string;
}

type Saying = Omit<OutsideCause, 'category'>;

const EXPIRED = sayingOf(EXPIRY);
const OUTAGE = /outage|degrad|elevated|investigating|identified/i;
const SETTLED = /resolved/i;

export function outsideCauses(seen: Observations): OutsideCause[] {
  const { bundle } = seen.telemetry;
  const complaints: Saying[] = [
    ...seen.patterns
      .filter(({ bad, counts, expected }) => bad && counts.during > expected)
      .map(({ service, sample }) => ({ service, text: sample })),
    ...statedPatterns(bundle)
      .filter(({ change }) => change > 0)
      .map(({ service, template }) => ({ service, text: template })),
    ...[bundle.title, ...Object.values(bundle.annotations)].map((text) => ({
      service: bundle.service,
      text,
    })),
  ];
  const tells = ({ text }: Saying, category: CauseCategory): boolean =>
    nameCategory([text], 'none') === category;
  const found = {
    certificate: complaints.find(
      (saying) => tells(saying, 'certificate') && EXPIRED.test(apart(saying.text)),
    ),
    external: announcements(seen).find(({ text }) => OUTAGE.test(text) && !SETTLED.test(text)),
    disk: complaints.find((saying) => tells(saying, 'disk')),
  };
  return Object.entries(found).flatMap(([category, saying]) =>
    saying ? [{ ...saying, category: category as CauseCategory, text: saying.text.slice(0, LONGEST) }] : [],
  );
}

/** What is new from those that are no program: nothing is measured of them and nobody calls them, as of a status page. */
function announcements({ telemetry, graph, patterns }: Observations): Saying[] {
  const programs = new Set([
    telemetry.bundle.service,
    ...[...telemetry.metrics, ...telemetry.spans].map(({ service }) => service),
    ...[...graph.callees].flatMap(([caller, callees]) => [caller, ...callees]),
  ]);
  return patterns
    .filter(({ service, counts }) => !programs.has(service) && !counts.before)
    .map(({ service, sample }) => ({ service, text: sample }));
}
