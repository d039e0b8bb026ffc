import { toErrorRecord } from '#kit/app-error';
import type { Check, Requirement } from '../file/workflow.ts';
import { type RunProgress, scopeAt } from './run-state.ts';
import type { Occasion } from './workflow-deps.ts';

export interface CheckedRequirement {
  /** In words: the author's message, else the check itself. */
  readonly what: string;
  /** Undefined: it cannot be told. */
  readonly holds?: boolean;
  readonly detail?: string;
}

/** Looks whether what a workflow asks for is so. */
export async function checkRequirements(
  requirements: readonly Requirement[],
  progress: RunProgress,
  occasion: Omit<Occasion, 'run'>,
): Promise<readonly CheckedRequirement[]> {
  const { run } = progress;
  return Promise.all(requirements.map((one) => checkOne(one, progress, { ...occasion, run })));
}

async function checkOne(
  { check, wanted, message }: Requirement,
  progress: RunProgress,
  occasion: Occasion,
): Promise<CheckedRequirement> {
  const { deps, readers } = progress;
  const scope = scopeAt(progress, deps.now());
  const what = (filled: Check) => message ?? `${wanted ? '' : 'not '}${showCheck(filled)}`;
  try {
    if (check.type === 'condition') {
      const { holds } = readers.conditions.test(check.condition, scope);
      return { what: what(check), holds: holds === wanted };
    }
    const filled = Object.fromEntries(
      Object.entries(check).map(([key, text]) => [key, readers.templates.render(text, scope, 'text')]),
    ) as unknown as Exclude<Check, { type: 'condition' }>;
    if (filled.type === 'tool_available') {
      return { what: what(filled), holds: (deps.tools.find(filled.tool) !== undefined) === wanted };
    }
    const found = await deps.check(filled, occasion);
    if (!found) return { what: what(filled) };
    const { holds, detail } = found;
    return { what: what(filled), holds: holds === wanted, ...(detail === undefined ? {} : { detail }) };
  } catch (error) {
    // What cannot be found out is told as such; it is no reason for the run to break.
    return { what: what(check), detail: toErrorRecord(error).message };
  }
}

/** `port_available 8080`. */
export function showCheck(check: Check): string {
  const { type, ...fields } = check;
  return [type, ...Object.values(fields)].join(' ');
}
