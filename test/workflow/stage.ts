import { execFile } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { defineTool, type EffectLevel, type Tool, type ToolResult } from '#spec/ports';
import { type Flows, openFlows } from '../../src/adapters/store/durable/open-flows.ts';
import {
  runWorkflow,
  type WorkflowDeps,
  type WorkflowEvent,
  type WorkflowReply,
  type WorkflowRequest,
  workflowFlow,
} from '../../src/engines/skills/workflow/index.ts';

export const REQUESTER = {
  caller: 'chat',
  platform: 'cli',
  profile: 'default',
  session: 's1',
  user: 'ann',
} as const;

export const fixture = (name: string): string =>
  readFileSync(join(import.meta.dirname, 'fixtures', `${name}.yaml`), 'utf8');

/** A tool as a test needs it: what it gives may depend on what it got and on how often it was called. */
export function sampleTool(
  name: string,
  level: EffectLevel,
  give: (input: Record<string, unknown>, call: number, signal: AbortSignal) => unknown,
): SampleTool {
  return { name, level, give };
}
export interface SampleTool {
  readonly name: string;
  readonly level: EffectLevel;
  readonly give: (input: Record<string, unknown>, call: number, signal: AbortSignal) => unknown;
}

/** Thrown by a sample tool: the call fails with this text. */
export class Failing extends Error {}

export interface Stage {
  readonly flows: Flows;
  readonly calls: { readonly name: string; readonly input: Record<string, unknown>; readonly key: string }[];
  readonly events: WorkflowEvent[];
  readonly notices: { readonly platform: string; readonly message: string }[];
  readonly memory: Map<string, unknown>;
  readonly deps: WorkflowDeps;
  run(request: Partial<WorkflowRequest> & { readonly text: string }): Promise<WorkflowReply>;
  close(): Promise<void>;
}

/** A flow store of its own, and a world that consists of a few tools. */
export async function openStage(
  tools: readonly SampleTool[],
  given: Partial<WorkflowDeps> = {},
  folder = mkdtempSync(join(tmpdir(), 'workflow-')),
): Promise<Stage> {
  const calls: Stage['calls'] = [];
  const events: WorkflowEvent[] = [];
  const notices: Stage['notices'] = [];
  const memory = new Map<string, unknown>();
  const made = new Map(tools.map((tool) => [tool.name, tool]));
  const counts = new Map<string, number>();
  const deps: WorkflowDeps = {
    tools: { names: [...made.keys()], find: (name) => toTool(made.get(name)) },
    callTool: async (name, input, { key, signal }) => {
      const tool = made.get(name);
      if (!tool) return failed(`There is no tool called '${name}'.`);
      const call = (counts.get(name) ?? 0) + 1;
      counts.set(name, call);
      calls.push({ name, input: input as Record<string, unknown>, key });
      try {
        const data = await tool.give(input as Record<string, unknown>, call, signal);
        return isResult(data)
          ? data
          : { content: [{ type: 'text', text: JSON.stringify(data) }], summary: `${name} ran`, data };
      } catch (error) {
        if (error instanceof Failing) return failed(error.message);
        throw error;
      }
    },
    check: async () => ({ holds: true }),
    memory: async (key) => memory.get(key),
    remember: async (key, value) => void memory.set(key, value),
    notify: async (notice) => {
      notices.push(notice);
      return { taken: true };
    },
    report: (event) => events.push(event),
    now: Date.now,
    ...given,
  };
  const flow = workflowFlow(deps);
  const flows = await openFlows(join(folder, 'flows.db'), {
    flows: [flow],
    report: (problem) => events.push(problem as never),
    pollMs: 20,
  });
  return {
    flows,
    calls,
    events,
    notices,
    memory,
    deps,
    run: async (request) => {
      const whole = {
        path: 'skill.yaml',
        args: {},
        dryRun: false,
        requester: REQUESTER,
        language: 'en' as const,
        ...request,
      };
      const reply = await runWorkflow(flows, flow, whole, {
        signal: AbortSignal.timeout(15_000),
        now: deps.now,
      });
      if (!reply) throw new Error('the run did not end in time');
      return reply;
    },
    close: async () => {
      await flows.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const failed = (text: string): ToolResult => ({
  content: [{ type: 'text', text }],
  summary: text.split('\n', 1)[0] ?? '',
  isError: true,
});

const isResult = (value: unknown): value is ToolResult =>
  typeof value === 'object' && value !== null && 'content' in value && 'summary' in value;

function toTool(sample: SampleTool | undefined): Tool | undefined {
  if (!sample) return undefined;
  return defineTool({
    name: sample.name,
    toolset: 'actions',
    description: sample.name,
    input: z.record(z.string(), z.unknown()),
    effect: () => sample.level,
    run: () => Promise.reject(new Error('it is called through the stage')),
  });
}

/** Runs commands with bash, and answers as the terminal tool does. */
export const terminal = sampleTool('terminal', 2, ({ command }, _call, signal) => {
  const { promise, resolve } = Promise.withResolvers<ToolResult>();
  execFile('bash', ['-c', String(command)], { encoding: 'utf8', signal }, (error, stdout, stderr) => {
    const code = error ? Number(error.code ?? 1) : 0;
    const text = `${(stdout + stderr).trimEnd() || '[no output]'}\n[exit code ${code}; 0.1 s; now in /]`;
    const summary = `exit code ${code}, 0.1 s`;
    resolve({
      content: [{ type: 'text', text }],
      summary,
      data: { code },
      ...(code === 0 ? {} : { isError: true }),
    });
  });
  return promise;
});

/** What several processes did: one word a line. */
export const worldLog = (path: string) => ({
  add: (word: string) => appendFileSync(path, `${word}\n`),
  words: (): readonly string[] =>
    existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [],
});
