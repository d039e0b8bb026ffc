import type { KnownSecrets } from '#kit/redact';
import { spoken } from '#kit/text';
import type { Alert, Incident, IncidentFact } from '#spec/data';
import type { Language } from '#kit/language';
import { openSieve, type Sieve } from './clean-text.ts';
import { type EvalCase, evalCaseOf } from './eval-case.ts';
import { knowledgePath, knowledgeText } from './knowledge-text.ts';
import { type LessonMemory, memoriesOf } from './memories.ts';
import { renewSkill } from './renew-skill.ts';
import { skillPath, skillText, workflowPath } from './skill-text.ts';
import { type Story, storyOf, type Verdict } from './story.ts';
import { type Trajectory, trajectoryOf } from './trajectory.ts';
import { lessonWords } from './words.ts';
import { workflowText } from './workflow-text.ts';

interface LessonFile {
  /** Below the skills, or below the knowledge, of the home. */
  readonly path: string;
  readonly text: string;
}

/** What an incident taught. Where a file is there already, its text is the new one, and may be the same. */
export interface Lessons {
  readonly memories: readonly LessonMemory[];
  readonly skill?: LessonFile;
  readonly workflow?: LessonFile;
  readonly knowledge?: LessonFile;
  readonly evalCase: EvalCase;
  readonly trajectory?: Trajectory;
  /** What was left out because it may not be remembered. */
  readonly refused: readonly string[];
}

export interface LessonOptions {
  readonly language?: Language;
  /** What a person said it was. Without it only a verified recovery proves anything. */
  readonly verdict?: Verdict;
  /** The skill and the workflow of this fault as they are, found by `lessonPaths`. */
  readonly existing?: string;
  readonly existingWorkflow?: string;
  /** The folder of the incident's telemetry. */
  readonly bundle?: string;
  /** Literals that must not be kept. */
  readonly secrets?: KnownSecrets;
}

/** Where the skill and the workflow of an incident's fault lie: one fault of one service has one of each. */
export function lessonPaths(
  incident: Incident,
  verdict?: Verdict,
): { readonly skill: string; readonly workflow: string } {
  const { slug } = storyOf(spoken(incident, 'en'), verdict);
  return { skill: skillPath(slug), workflow: workflowPath(slug) };
}

/**
 * What is kept of an incident that has ended. Pure. A cause that neither a verified recovery nor a person has proven
 * leaves a summary and a case without an answer, and nothing else.
 */
export function lessonsOf(
  incident: Incident,
  facts: readonly IncidentFact[],
  alerts: readonly Alert[],
  options: LessonOptions = {},
): Lessons {
  const { language = 'en', verdict, bundle, secrets = [] } = options;
  const words = lessonWords(language);
  const sieve = openSieve(language, secrets);
  const story = storyOf(spoken(titled(incident, alerts), language), verdict);
  const lessons: Lessons = {
    memories: memoriesOf(story, facts, words, sieve),
    evalCase: evalCaseOf(story, bundle),
    refused: sieve.refused,
  };
  if (!story.proof) return lessons;
  const knowledge = file(knowledgePath(incident.id), knowledgeText(story, words, sieve), sieve);
  const skill = skillOf(story, facts, options, sieve);
  const workflow = file(
    workflowPath(story.slug),
    workflowText(story, words, sieve, options.existingWorkflow),
    sieve,
  );
  return {
    ...lessons,
    ...(skill ? { skill } : {}),
    ...(workflow ? { workflow } : {}),
    ...(knowledge ? { knowledge } : {}),
    trajectory: trajectoryOf(story, words, sieve),
  };
}

/** A skill that cannot be renewed is left alone: somebody wrote it. */
function skillOf(
  story: Story,
  facts: readonly IncidentFact[],
  { existing, language = 'en' }: LessonOptions,
  sieve: Sieve,
): LessonFile | undefined {
  const text =
    existing === undefined
      ? skillText(story, facts, lessonWords(language), sieve)
      : renewSkill(existing, story, facts, sieve);
  return file(skillPath(story.slug), text, sieve);
}

function file(path: string, text: string | undefined, sieve: Sieve): LessonFile | undefined {
  const kept = text === undefined ? undefined : sieve.whole(text, path);
  return kept === undefined ? undefined : { path, text: kept };
}

/** An incident is called after its first alert; several kinds of alerts tell more together. */
function titled(incident: Incident, alerts: readonly Alert[]): Incident {
  const titles = [...new Set([incident.title, ...alerts.map(({ title }) => title)])].slice(0, 3);
  return titles.length > 1 ? { ...incident, title: titles.join(' / ') } : incident;
}
