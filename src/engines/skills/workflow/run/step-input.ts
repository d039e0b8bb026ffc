import { showHidden } from '#kit/hidden-characters';
import { redact } from '#kit/redact';
import { cutMiddle } from '#kit/cut-middle';
import type { WorkflowStep } from '../file/workflow.ts';
import type { RenderMode } from '../template/render-template.ts';
import type { Scope } from '../template/look-up.ts';
import type { Templates } from '../template/templates.ts';

const MOST_SHOWN = 2_000;
const MOST_TERMINAL_S = 600;

/** Arguments that are read as more than a text: what goes into them is quoted, or has to be meant. */
const MODES: Readonly<Record<string, RenderMode>> = { command: 'shell', code: 'code' };

/**
 * What the tool of a step is called with. An argument that refers to something that is not there is left out, as if it
 * had not been written.
 */
export function stepInput(
  step: WorkflowStep,
  scope: Scope,
  templates: Templates,
  timeoutMs: number,
): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  const written = step.command === undefined ? step.args : { ...step.args, command: step.command };
  for (const [key, value] of Object.entries(written)) {
    const mode = typeof value === 'string' ? MODES[key] : undefined;
    const filled = mode ? templates.render(value as string, scope, mode) : templates.expand(value, scope);
    if (filled !== null || value === null) input[key] = filled;
  }
  if (step.command !== undefined && !('timeout_s' in input)) {
    input.timeout_s = Math.min(MOST_TERMINAL_S, Math.max(1, Math.ceil(timeoutMs / 1_000)));
  }
  return input;
}

/** A call as people see it. */
export function showInput(step: WorkflowStep, input: Readonly<Record<string, unknown>>): string {
  const text = step.command === undefined ? JSON.stringify(input) : String(input.command);
  return cutMiddle(redact(showHidden(text)), MOST_SHOWN);
}
