import { isRecord } from '#kit/is-record';
import type { Check, Requirement, Workflow, WorkflowStep } from '../file/workflow.ts';
import type { Conditions } from '../template/condition.ts';
import type { NamedPath } from '../template/template-roots.ts';
import type { Templates } from '../template/templates.ts';

/** What reads the texts of a workflow. */
export interface Readers {
  readonly templates: Templates;
  readonly conditions: Conditions;
}

/** Names that are always there. */
export const CLOCK_NAMES: readonly string[] = ['now', 'date', 'hour', 'minute', 'weekday'];

/** What a step names: in its arguments, its command, its question and its condition. Throws when one cannot be read. */
export function stepPaths(step: WorkflowStep, readers: Readers): readonly NamedPath[] {
  const texts = [
    ...textsOf(step.args),
    step.command ?? '',
    step.confirmationMessage ?? '',
    step.failureMessage ?? '',
  ];
  return [
    ...texts.flatMap((text) => readers.templates.paths(text)),
    ...(step.condition === undefined ? [] : readers.conditions.paths(step.condition)),
  ];
}

export function requirementPaths({ check }: Requirement, readers: Readers): readonly NamedPath[] {
  if (check.type === 'condition') return readers.conditions.paths(check.condition);
  return checkTexts(check).flatMap((text) => readers.templates.paths(text));
}

const checkTexts = (check: Check): readonly string[] => Object.values(check).filter((text) => hasText(text));
const hasText = (value: unknown): value is string => typeof value === 'string';

/** Every text of a value, however deep. */
function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  return isRecord(value) ? Object.values(value).flatMap(textsOf) : [];
}

/** The keys of memory that a workflow reads. A part that cannot be read names none. */
export function memoryKeys(workflow: Workflow, readers: Readers): readonly string[] {
  const handlers = Object.values(workflow.errorHandling).flatMap(({ steps }) => steps);
  const { onSuccess, onFailure, template = '' } = workflow.output;
  const notices = [...onSuccess.notify, ...onFailure.notify];
  const paths = [
    ...[...workflow.steps, ...handlers].flatMap((step) => readable(() => stepPaths(step, readers))),
    ...[...workflow.preconditions, ...workflow.postconditions].flatMap((one) =>
      readable(() => requirementPaths(one, readers)),
    ),
    ...[template, ...notices.map(({ message }) => message)].flatMap((text) =>
      readable(() => readers.templates.paths(text)),
    ),
    ...notices.flatMap(({ condition }) =>
      condition ? readable(() => readers.conditions.paths(condition)) : [],
    ),
  ];
  const keys = paths.flatMap(({ parts: [root, key] }) => (root === 'memory' && key ? [key] : []));
  return [...new Set(keys)];
}

function readable(read: () => readonly NamedPath[]): readonly NamedPath[] {
  try {
    return read();
  } catch {
    // Validation tells it; what else the workflow names is still of use.
    return [];
  }
}
