import { isSeq, parseDocument } from 'yaml';
import { isRecord } from '#kit/is-record';
import type { Handler, Procedure, ProcedureStep, Slot } from './procedure.ts';
import { quotable } from './write-lines.ts';

/** The procedure of a YAML workflow whose steps are plain calls; undefined for one with more to it. */
export function readWorkflow(text: string): Procedure | undefined {
  const skill = parseDocument(text).toJS() as unknown;
  const body = isRecord(skill) && isRecord(skill.skill) ? skill.skill : undefined;
  const execution = isRecord(body?.execution) ? body.execution : undefined;
  if (!body || !Array.isArray(execution?.steps)) return undefined;
  const steps = execution.steps.flatMap((step: unknown): ProcedureStep[] => {
    if (!isRecord(step)) return [];
    if (typeof step.action === 'string') return [{ tool: step.action, input: slotted(step.args ?? {}) }];
    return typeof step.command === 'string'
      ? [{ tool: 'terminal', input: { command: slotted(step.command) } }]
      : [];
  });
  if (!steps.length || steps.length !== execution.steps.length) return undefined;
  const inputs = isRecord(body.arguments) ? Object.keys(body.arguments) : [];
  const slots = inputs.map((name): Slot => ({ name, from: 'task', example: '' }));
  return { steps, slots, handlers: [] };
}

const slotted = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(/\{\{\s*([a-z][a-z0-9_]*)\s*\}\}/g, '<$1>'));

const templated = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(/<([a-z][a-z0-9_]*)>/g, '{{$1}}'));

/** Small edits of a workflow file; comments and everything that is not named stay. */
export function editWorkflow(
  text: string,
  edit:
    | { readonly handler: Handler }
    | { readonly shortcut: string }
    | { readonly at: number; readonly removed: number; readonly steps: readonly ProcedureStep[] },
): string {
  const document = parseDocument(text);
  if ('handler' in edit) {
    const { step, error, instead } = edit.handler;
    const how = instead.length ? `use ${instead.map(({ tool }) => tool).join(', then ')}` : 'stop and look';
    document.setIn(['skill', 'error_handling', `step_${step}_failed`], `${quotable(error, 80)}: ${how}`);
  } else if ('shortcut' in edit) {
    const path = ['skill', 'learned_shortcuts'];
    const known = document.getIn(path);
    if (isSeq(known)) known.add(edit.shortcut);
    else document.setIn(path, [edit.shortcut]);
  } else {
    const steps = document.getIn(['skill', 'execution', 'steps']);
    if (isSeq(steps)) {
      const fresh = edit.steps.map(({ tool, input }, index) =>
        document.createNode({
          name: `${edit.at + index + 1}. ${tool}`,
          action: tool,
          args: templated(input),
          on_failure: 'stop',
        }),
      );
      steps.items.splice(edit.at, edit.removed, ...fresh);
    }
  }
  return document.toString({ lineWidth: 0 });
}
