import { join } from 'node:path';
import { z } from 'zod';
import { defineTool, type EffectLevel, type Tool } from '#spec/ports';
import type { WorkflowDeps, WorkflowInput } from '../../src/engines/skills/workflow/index.ts';
import { REQUESTER, worldLog } from './stage.ts';

export interface CrashTask {
  readonly folder: string;
  /** Dies when it comes to a place where it may be killed for the so-manyth time; 0: never. */
  readonly killAt: number;
  readonly runs: readonly string[];
}

const TEXT = `
skill:
  name: crash
  execution:
    parallel_steps: [[left, right]]
    steps:
      - {name: look, action: look, output_key: seen}
      - {name: left, action: change, args: {what: "left \${seen}"}, output_key: l}
      - {name: right, action: change, args: {what: "right \${seen}"}, output_key: r}
      - {name: ask, action: change, args: {what: "asked \${l}"}, requires_confirmation: true}
      - {name: last, action: look}
  output:
    on_success: {notify: {platform: all, message: done}}
    on_failure: {notify: {platform: all, message: failed}}
`;

export const crashInput = (): WorkflowInput => ({
  skill: 'crash',
  path: 'crash.yaml',
  text: TEXT,
  digest: 'd',
  args: {},
  dryRun: false,
  requester: REQUESTER,
  language: 'en',
});

const tool = (name: string, level: EffectLevel): Tool =>
  defineTool({
    name,
    toolset: 'actions',
    description: name,
    input: z.record(z.string(), z.unknown()),
    effect: () => level,
    run: () => Promise.reject(new Error('it is called through the world')),
  });

/** A world that several processes change: a file with a line for every change. */
export function crashDeps(folder: string, point: () => void): WorkflowDeps {
  const world = worldLog(join(folder, 'world.log'));
  const tools = new Map([tool('look', 0), tool('change', 2)].map((one) => [one.name, one]));
  return {
    tools: { names: [...tools.keys()], find: (name) => tools.get(name) },
    callTool: async (name, input, { run }) => {
      point();
      if (name === 'change') world.add(`${run.id} ${String((input as { what: unknown }).what)}`);
      point();
      return { content: [{ type: 'text', text: 'x' }], summary: 'x' };
    },
    confirm: async () => true,
    check: async () => ({ holds: true }),
    memory: async () => undefined,
    notify: async ({ message }, { run }) => {
      world.add(`${run.id} notified ${message}`);
      return { taken: true };
    },
    now: Date.now,
  };
}
