import { readReport, type SymptomKind } from '#engines/aiops';
import type { TopicIndex } from '#engines/retrieval';
import { servicesIn } from '#kit/service-names';
import type { Skill } from '#spec/data';
import { CLAUSES, destroys } from './mood.ts';
import type { OperatorHome } from './operator-home.ts';
import { shelfOf } from './skill-answers.ts';
import { withoutNames } from './slots.ts';
import { type Meaning, meaningOf } from './topics.ts';

/** A runbook is shown beside an incident only where it is near in its own right. */
const RUNBOOK = 0.1;

/** The runbook that is nearest to a message, or to the kind of trouble that it tells of, to be shown beside what else is said. */
export async function fittingRunbook(
  home: OperatorHome,
  index: TopicIndex,
  found: readonly Meaning[],
  said: string,
  services: readonly string[],
): Promise<Skill | undefined> {
  const report = readReport(said);
  // What is to be destroyed is not what is wrong.
  const rest = destroys(said) ? said.split(CLAUSES).filter((clause) => !destroys(clause)) : [];
  const wrong = rest.length ? index.search(withoutNames(rest.join(' '))).map(meaningOf) : found;
  const near = wrong.filter(({ kind, score }) => kind === 'skill' && score >= RUNBOOK);
  // The kind of trouble alone tells something only of a service.
  const symptoms = report && servicesIn(said, services).length > 0 ? report.symptoms : [];
  const ofKind = symptoms.flatMap((kind) =>
    index
      .search(KIND_OF_TROUBLE[kind])
      .map(meaningOf)
      .filter((meaning) => meaning.kind === 'skill'),
  );
  const names = [
    ...near.map(({ id }) => id),
    ...(report?.afterRelease ? ['deploy-regression'] : []),
    ...ofKind.map(({ id }) => id),
  ];
  if (names.length === 0) return undefined;
  const all = (await (await shelfOf(home))?.library.all()) ?? [];
  return names.map((id) => all.find(({ name }) => name === id)).find((skill) => skill?.form === 'document');
}

/** How a runbook would be asked for that fits a kind of trouble. */
const KIND_OF_TROUBLE: Readonly<Record<SymptomKind, string>> = {
  errors: 'runbook for a spike of 5xx errors',
  latency: 'runbook for high latency, requests time out',
  saturation: 'runbook for exhausted connections, memory or processor',
  traffic: 'runbook for a surge of traffic',
  down: 'runbook for a service that is down and crashes',
  alert: 'runbook for a spike of 5xx errors',
};
