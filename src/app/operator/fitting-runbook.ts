import { followsRelease, readReport, type SymptomKind } from '#engines/aiops';
import type { TopicIndex } from '#engines/retrieval';
import { servicesIn } from '#kit/service-names';
import type { Skill } from '#spec/data';
import { CLAUSES, destroys } from './mood.ts';
import { fitsTechnology, namesItsSymptom } from './named-technology.ts';
import type { OperatorHome } from './operator-home.ts';
import { shelfOf } from './skill-answers.ts';
import { withoutNames } from './slots.ts';
import { type Meaning, meaningOf } from './topics.ts';

/** A runbook is shown beside an incident only where it is near in its own right. */
const RUNBOOK = 0.1;

/** Document skills, by their names. */
export async function runbooksOf(home: OperatorHome): Promise<ReadonlyMap<string, Skill>> {
  const all = (await (await shelfOf(home))?.library.all()) ?? [];
  return new Map(all.filter(({ form }) => form === 'document').map((skill) => [skill.name, skill]));
}

/**
 * The runbook to be shown beside what else is said: one for a symptom or a technology that the message itself names, else the
 * one for the kind of trouble that a service has. Words that are only near decide nothing.
 */
export function fittingRunbook(
  runbooks: ReadonlyMap<string, Skill>,
  index: TopicIndex,
  found: readonly Meaning[],
  said: string,
  services: readonly string[],
): Skill | undefined {
  // What is to be destroyed is not what is wrong.
  const rest = destroys(said) ? said.split(CLAUSES).filter((clause) => !destroys(clause)) : [said];
  if (rest.length === 0) return undefined;
  const wrong = destroys(said) ? index.search(withoutNames(rest.join(' '))).map(meaningOf) : found;
  const named = servicesIn(said, services);
  const told = named.reduce((text, service) => text.replaceAll(service, ' '), said);
  const near = wrong
    .filter(({ kind, score }) => kind === 'skill' && score >= RUNBOOK)
    .flatMap(({ id }) => runbooks.get(id) ?? [])
    .filter((skill) => fitsTechnology(skill, said) && namesItsSymptom(skill, told));
  // The kind of trouble alone tells something only of a service.
  const kinds = named.length ? (readReport(said)?.symptoms ?? []) : [];
  const general = [
    ...(followsRelease(said) ? ['deploy-regression'] : []),
    ...(kinds.includes('down') && CRASHES.test(told) ? ['crash-loop'] : []),
    ...kinds.filter((kind) => kind !== 'errors' || ANSWERS_WRONG.test(told)).map((kind) => OF_KIND[kind]),
  ];
  return near[0] ?? general.flatMap((name) => (name && runbooks.get(name)) || []).at(0);
}

/** Requests go wrong; an error of the system, such as a permission, is something else. */
const ANSWERS_WRONG =
  /\b[45](?:\d\d|xx)s?\b|\berrors?\b|\bfail\w*|\breject\w*|\bexceptions?\b|bad gateway|报错|错误|失败|异常/i;
const CRASHES =
  /\bcrash\w*|\brestarting\b|\bexit(?:s|ed)? (?:code|with)\b|崩溃|崩了|重启|起不来|启动不了|闪退/i;

/** Runbooks for a kind of trouble of which nothing else is known. */
const OF_KIND: Readonly<Partial<Record<SymptomKind, string>>> = {
  errors: 'http-5xx-errors',
  latency: 'high-latency',
  traffic: 'traffic-surge',
  down: 'service-unreachable',
};
