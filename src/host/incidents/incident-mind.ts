import { basename, dirname, join } from 'node:path';
import { atomicWrite, keepTrajectory, readText } from '#adapters/store';
import { explainIncident, type IncidentDeps, lessonPaths, lessonsOf, recallPriors } from '#engines/aiops';
import type { MemoryView } from '#engines/memory';
import { AppError } from '#kit/app-error';
import type { Language } from '#kit/language';
import { ENDED_STATES, type Lesson, type Prior } from '#spec/data';
import type { EvidenceArchive, IncidentStore, Logger } from '#spec/ports';
import type { Host } from '../open-host.ts';
import { modelAsker } from '#engines/models';

type Needs = Pick<
  Host,
  'answering' | 'auxiliary' | 'home' | 'loaded' | 'log' | 'memory' | 'redactor' | 'skills'
>;

/** What the team knows: nobody's own notes. */
const TEAM: MemoryView = {
  audience: { source: 'incident', user: 'hermes', chat: 'incidents' },
  shared: true,
};
const KINDS = ['incident_summary', 'fault_pattern', 'service_profile', 'governance_rule', 'team_preference'];
const MOST_PAST = 200;
const LEAST_COVERAGE = 0.15;

interface Parts {
  readonly store: IncidentStore;
  readonly archive: EvidenceArchive;
  readonly language: Language;
}

/** Memory, model and lessons, as the flow asks for them. None of them stops an incident. */
export function incidentMind(
  host: Needs,
  { store, archive, language }: Parts,
): Pick<IncidentDeps, 'priors' | 'reader' | 'explain' | 'learn'> {
  const ask = modelAsker(() => host.auxiliary());
  return {
    priors: async (incident, signal) => {
      const recall = async (query: string, limit: number): Promise<readonly Recalled[]> => {
        const { memory } = await host.memory();
        const found = await memory.recall(query, TEAM, { limit, signal, overlap: true });
        return found
          .filter(({ entry, coverage = 0 }) => KINDS.includes(entry.kind) && coverage >= LEAST_COVERAGE)
          .map(({ entry, score }) => ({ text: entry.text, ref: entry.id, score, source: 'memory' as const }));
      };
      const past = () => store.list({ states: ENDED_STATES, limit: MOST_PAST });
      const log = host.log.child({ incident: incident.id });
      return tolerant(log, 'memory', [], () => recallPriors(incident, { recall, past }, signal, language));
    },
    reader: async () => {
      const model = host.loaded.config.incidents.second_reader ? await host.answering() : undefined;
      return model === undefined ? undefined : { model, ask };
    },
    explain: async (incident, rca, priors, signal) => {
      if (!(await host.answering())) return undefined;
      const services = incident.services;
      const log = host.log.child({ incident: incident.id });
      const explained = await tolerant(log, 'explanation', undefined, () =>
        explainIncident({ incident, rca, priors, ask, language, signal, services }),
      );
      return explained?.text;
    },
    learn: async (incident, facts, alerts) => keep(host, { archive, language }, incident, facts, alerts),
  };
}

type Recalled = Omit<Prior, 'source'> & { readonly source: 'memory' };

/** What fails here is told and left out: evidence does not wait for memory. */
async function tolerant<T>(log: Logger, part: string, otherwise: T, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    log.warn('part.failed', { part, thrown });
    return otherwise;
  }
}

async function keep(
  host: Needs,
  { archive, language }: Pick<Parts, 'archive' | 'language'>,
  ...[incident, facts, alerts]: Parameters<IncidentDeps['learn']>
): Promise<Lesson> {
  const { home } = host;
  const skills = home.dir('skills');
  const paths = lessonPaths(incident);
  const [existing, existingWorkflow] = await Promise.all(
    [paths.skill, paths.workflow].map((path) => readText(join(skills, path))),
  );
  const { memory, secrets } = await host.memory();
  const { text: clean, deep } = await host.redactor();
  const lessons = lessonsOf(incident, facts, alerts, {
    language,
    bundle: archive.folder(incident.id, incident.round),
    secrets,
    ...(existing === undefined ? {} : { existing }),
    ...(existingWorkflow === undefined ? {} : { existingWorkflow }),
  });
  const memories: string[] = [];
  for (const telling of lessons.memories) {
    const kept = await memory.remember(
      { ...telling, provenance: { by: 'incident', incident: incident.id } },
      TEAM,
    );
    if (kept.status !== 'refused') memories.push(kept.entry.id);
  }
  const publishes = host.loaded.config.incidents.publish_skills;
  const publish = (file: { readonly path: string; readonly text: string } | undefined) =>
    publishes && file ? writeSkill(host, file, incident.id) : undefined;
  const skill = await publish(lessons.skill);
  const workflow = await publish(lessons.workflow);
  const knowledge =
    lessons.knowledge &&
    (await put(join(home.dir('knowledge'), lessons.knowledge.path), clean(lessons.knowledge.text)));
  const evalCase = await put(
    join(home.dir('evals'), 'incidents', `${incident.id}.json`),
    clean(`${JSON.stringify(lessons.evalCase, undefined, 2)}\n`),
  );
  const trajectory = join(home.dir('training'), 'trajectories.jsonl');
  if (lessons.trajectory) await keepTrajectory(trajectory, deep(lessons.trajectory));
  return {
    memories,
    ...(skill ? { skill } : {}),
    ...(workflow ? { workflow } : {}),
    ...(knowledge ? { knowledge } : {}),
    evalCase,
    ...(lessons.trajectory ? { trajectory } : {}),
  };
}

async function put(path: string, text: string): Promise<string> {
  await atomicWrite(path, text);
  return path;
}

/** Judged, numbered and recorded like any other skill; one that the guard refuses is not kept. */
async function writeSkill(
  host: Needs,
  { path, text }: { readonly path: string; readonly text: string },
  incident: string,
): Promise<string | undefined> {
  const { writer } = await host.skills(host.home.root);
  const known = await readText(join(host.home.dir('skills'), path));
  if (known === text) return path;
  try {
    await writer.apply({
      action: known === undefined ? 'created' : 'improved',
      skill: nameOf(path),
      changes: [{ path, text }],
      why: `learned from ${incident}`,
      by: 'learning',
      from: [incident],
    });
    return path;
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    host.log.warn('part.failed', { part: `skill ${nameOf(path)}`, incident, thrown });
    return undefined;
  }
}

/** `a/b/<name>/SKILL.md`, or `a/b/<name>.yaml`. */
const nameOf = (path: string): string =>
  basename(path) === 'SKILL.md' ? basename(dirname(path)) : basename(path).replace(/\.ya?ml$/, '');
