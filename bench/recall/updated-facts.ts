import type { Embedder } from '#spec/ports';
import { type Line, withTalks } from './scratch-memory.ts';

const FACTS = 600;
const VERSIONS = 3;
const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 10, 15, 12);
/** Ages of the versions in days, newest first. */
const AGES = [
  [0, 1, 2],
  [1, 3, 7],
  [7, 20, 45],
  [30, 60, 90],
  [90, 120, 180],
] as const;

const SERVICES =
  `payment checkout order inventory shipping search catalog pricing ledger refund invoice gateway login
session profile notification email billing report export import audit quota tenant webhook`.split(/\s+/);
const SETTINGS =
  `timeout|connection pool size|retry limit|owner|on-call contact|region|replica count|log level|cache
lifetime|deploy window|memory limit|database|queue depth|rate limit|alert threshold|feature flag|certificate
issuer|base image|canary share|backup schedule|health path|port|batch size|shard count`.split('|');

/** The same thing said again, as people do: in the same words, or in others. */
const PHRASINGS: readonly ((setting: string, service: string, value: string) => string)[] = [
  (setting, service, value) => `The ${setting} of the ${service} service is ${value}.`,
  (setting, service, value) => `Heads up: we changed the ${service} service, its ${setting} is now ${value}.`,
  (setting, service, value) => `${service} service: ${setting} set to ${value} from today on.`,
  (setting, service, value) => `For the record, ${value} is the ${setting} that the ${service} service uses.`,
  (setting, service, value) =>
    `Update on the ${service} service. We moved the ${setting} to ${value} after the review.`,
];

/** How often the newest version of a fact comes before the older ones. */
export async function newestFirst(
  embedder: Embedder | undefined,
  say: (line: string) => void,
): Promise<number> {
  const lines: Line[] = [];
  const questions = Array.from({ length: FACTS }, (_, at) => {
    const service = SERVICES[at % SERVICES.length] as string;
    const setting = (SETTINGS[Math.floor(at / SERVICES.length)] as string).replace(/\s+/g, ' ');
    const ages = AGES[at % AGES.length] as readonly number[];
    const paraphrased = at % 2 === 1;
    for (let version = 0; version < VERSIONS; version++) {
      const phrasing = paraphrased ? (at + version * 2) % PHRASINGS.length : at % PHRASINGS.length;
      const value = `v${((at * 7 + version * 13) % 97) + 1}`;
      lines.push({
        id: `fact ${at} version ${version}`,
        speaker: 'user',
        at: NOW - (ages[version] as number) * DAY_MS,
        text: (PHRASINGS[phrasing] as (typeof PHRASINGS)[number])(setting, service, value),
      });
    }
    return { text: `What is the ${setting} of the ${service} service?`, newest: `fact ${at} version 0` };
  });
  const talks = lines
    .toSorted((a, b) => a.at - b.at)
    .map((line) => ({ id: `talk ${line.id}`, lines: [line] }));
  return withTalks(talks, { embedder, now: NOW }, async ({ recall }) => {
    let first = 0;
    for (const { text, newest } of questions) {
      if ((await recall(text, 5))[0] === newest) first += 1;
    }
    say(`${FACTS} facts in ${VERSIONS} versions each, half of them paraphrased, up to 180 days old`);
    return Number((first / FACTS).toFixed(4));
  });
}
