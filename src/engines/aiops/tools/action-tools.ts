import { z } from 'zod';
import { redact } from '#kit/redact';
import { type Spoken, spoken, tell } from '#kit/text';
import { OPERATIONS, type Operation, type ProposedAction } from '#spec/data';
import { changesSomething, definitionOf, type OperationDefinition } from '#spec/data/operations';
import type { Deed, Tool, ToolContext, ToolResult } from '#spec/ports';
import { defineIncidentTool, type IncidentToolDeps } from './define-incident-tool.ts';
import type { ActionAnswer, IncidentDesk } from './incident-desk.ts';
import { cell, refused, said } from './show-table.ts';

interface Wanted {
  incident_id?: string | undefined;
  service: string;
  dry_run: boolean;
  approval_id?: string | undefined;
  checkpoint_id?: string | undefined;
}

const wanted = {
  incident_id: z.string().min(1).max(100).optional(),
  service: z.string().min(1).max(200),
  dry_run: z.boolean().default(true),
  approval_id: z.string().min(1).max(100).optional(),
  checkpoint_id: z.string().min(1).max(100).optional(),
};

export const actionTools = (deps: IncidentToolDeps): readonly Tool[] => [
  ...OPERATIONS.flatMap((operation) => {
    const { tool } = definitionOf(operation);
    return tool ? [operationTool(deps, operation, tool)] : [];
  }),
  executeTool(deps),
];

/** A rehearsal reads. Anything else is asked about like any other sensitive call, beside the approval that it needs. */
const effect = ({ dry_run }: Wanted): 0 | 3 => (dry_run ? 0 : 3);

function deedOf(operation: Operation, { service, dry_run, approval_id, checkpoint_id }: Wanted): Deed {
  if (dry_run) return { brings: ['untrusted', 'private'] };
  if (approval_id === undefined || checkpoint_id === undefined) return { refuse: NEEDS_BOTH };
  return {
    confirm: tell(
      `${operation} of ${service} is carried out for real (${approval_id}, ${checkpoint_id}).`,
      `将对 ${service} 真实执行 ${operation}(${approval_id},${checkpoint_id})。`,
    ),
  };
}

const NEEDS_BOTH =
  'Without dry_run it needs the approval_id and the checkpoint_id of an action that a person has approved.';

/** One operation, asked for by its own name. */
function operationTool(
  { desk }: IncidentToolDeps,
  operation: Operation,
  { description, input: inputs }: NonNullable<OperationDefinition['tool']>,
): Tool {
  const own = Object.entries(inputs);
  return defineIncidentTool<Wanted & Readonly<Record<string, unknown>>>({
    name: operation,
    description,
    input: z.strictObject({
      ...wanted,
      ...Object.fromEntries(own.map(([name]) => [name, z.string().min(1).max(200)])),
    }),
    effect,
    deed: (input) => deedOf(operation, input),
    run: (input, context) => {
      const params = own.map(([name, param]) => [param, String(input[name])]);
      return request(desk, input, operation, Object.fromEntries(params), context);
    },
  });
}

const EXECUTABLE = OPERATIONS.filter(
  (operation) => changesSomething(operation) && !definitionOf(operation).tool,
)
  .map((operation) => definitionOf(operation).name.en)
  .join(', ');

function executeTool({ desk }: IncidentToolDeps): Tool {
  return defineIncidentTool<Wanted & { operation: Operation; params: ProposedAction['params'] }>({
    name: 'execute_controlled_action',
    description: `Rehearses an action (${EXECUTABLE}) and shows what would change. With dry_run false it carries out the one action of an incident that a person approved.`,
    input: z.strictObject({
      ...wanted,
      operation: z.enum(OPERATIONS),
      params: z
        .record(z.string().max(80), z.union([z.string().max(2_000), z.number(), z.boolean()]))
        .default({}),
    }),
    effect,
    deed: (input) => deedOf(input.operation, input),
    run: (input, context) => request(desk, input, input.operation, input.params, context),
  });
}

async function request(
  desk: IncidentDesk,
  { incident_id, service, dry_run, approval_id, checkpoint_id }: Wanted,
  operation: Operation,
  params: ProposedAction['params'],
  { signal, session, audience }: ToolContext,
): Promise<ToolResult> {
  if (!dry_run && (approval_id === undefined || checkpoint_id === undefined)) return refused(NEEDS_BOTH);
  const asked = await desk.requestAction(
    {
      incident: incident_id,
      service,
      operation,
      params,
      approval: approval_id,
      checkpoint: checkpoint_id,
      dryRun: dry_run,
      session,
      audience,
    },
    signal,
  );
  const given = spoken(asked, 'en');
  // A diff shows settings, and settings hold secrets.
  const answer = { ...given, ...(given.diff === undefined ? {} : { diff: redact(given.diff) }) };
  const lines = answerLines(answer);
  const summary = summaryOf(answer, operation, service);
  return answer.allowed
    ? said(lines.join('\n'), summary, answer)
    : refused([summary, ...lines].join('\n'), answer);
}

const DIFF_CHARS = 3_000;

function answerLines(answer: Spoken<ActionAnswer>): string[] {
  const { execution, diff } = answer;
  return [
    ...(answer.incident === undefined ? [] : [`incident: ${answer.incident}`]),
    `dry_run: ${answer.dryRun}`,
    `allowed: ${answer.allowed}`,
    ...(answer.why === undefined ? [] : [`why: ${cell(answer.why, 400)}`]),
    `approval_status: ${cell(answer.approvalStatus, 40)}`,
    `checkpoint_present: ${answer.checkpointPresent}`,
    ...answer.gates.map(({ name, ok }) => `gate ${cell(name, 60)}: ${ok ? 'ok' : 'not ok'}`),
    ...(answer.preview === undefined ? [] : [`command_preview: ${cell(answer.preview, 400)}`]),
    ...(answer.equivalent === undefined ? [] : [`equivalent_command: ${cell(answer.equivalent, 400)}`]),
    ...(diff ? [diff.length > DIFF_CHARS ? `${diff.slice(0, DIFF_CHARS)}\n… the diff is longer` : diff] : []),
    ...(execution
      ? [`execution: ${execution.status} by ${execution.executor}: ${cell(execution.detail, 300)}`]
      : []),
    ...(answer.auditId === undefined ? [] : [`audit_id: ${answer.auditId}`]),
  ];
}

function summaryOf(answer: Spoken<ActionAnswer>, operation: Operation, service: string): string {
  const what = `${operation} of ${service}`;
  if (!answer.allowed) return `${what} is refused: ${cell(answer.why ?? 'a gate is closed', 200)}`;
  if (answer.dryRun) return `${what}: rehearsed, nothing was changed`;
  return answer.execution ? `${what}: ${answer.execution.status}` : `${what}: handed over to the incident`;
}
