import type { Workflow, WorkflowArgument } from '../file/workflow.ts';
import { CLOCK_NAMES, type Readers, requirementPaths, stepPaths } from './references.ts';
import { RESERVED_NAMES } from '../file/read-workflow.ts';

/**
 * The arguments of a workflow: those that it declares, and when it declares none, every `{{name}}` of its steps that
 * nothing else makes.
 */
export function workflowArguments(workflow: Workflow, readers: Readers): readonly WorkflowArgument[] {
  if (workflow.arguments.length > 0) return workflow.arguments;
  const made = new Set([...outputKeys(workflow), ...CLOCK_NAMES, ...RESERVED_NAMES]);
  const paths = [
    ...workflow.steps.flatMap((step) => stepPaths(step, readers)),
    ...workflow.preconditions.flatMap((one) => requirementPaths(one, readers)),
  ];
  const names = paths.flatMap(({ parts, reference }) => {
    const [root = ''] = parts;
    return parts.length === 1 && !reference && !made.has(root) ? [root] : [];
  });
  return [...new Set(names)].map((name) => ({ name, required: true }));
}

/** The outputs of all steps, those of handlers included. */
export function outputKeys(workflow: Workflow): readonly string[] {
  const handlers = Object.values(workflow.errorHandling).flatMap(({ steps }) => steps);
  return [...workflow.steps, ...handlers].flatMap(({ outputKey }) => outputKey ?? []);
}
