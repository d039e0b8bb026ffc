import { describe, expect, it } from 'vitest';
import { memoryLedger } from '#testkit/gate';
import { CALLERS } from '#spec/data';
import {
  ANN,
  answering,
  BOX,
  NEVER,
  NO,
  requestFor,
  runFor,
  sampleTool,
  stage,
  YES,
} from '#support/engines/gate/gate-stage';
import type { PermitRequest } from './assess.ts';

/** Every kind of side effect. What can have one gets a row here. */
const KINDS: readonly [string, PermitRequest][] = [
  ['terminal', runFor('make')],
  ['terminal in the background', runFor({ text: 'make', background: true })],
  [
    'a command on another backend',
    runFor({ text: 'make', backend: 'prod' }, { place: () => ({ ...BOX, backend: 'prod' }) }),
  ],
  [
    'code execution',
    requestFor(sampleTool('execute_code', 2, { code: { language: 'python', text: 'x = 1' } })),
  ],
  ['a file write', requestFor(sampleTool('write_file', 1, { writes: ['notes.md'] }))],
  ['a tool of an MCP server', requestFor(sampleTool('mcp_github_merge', 2, { sendsTo: ['github'] }))],
  ['a tool of a plugin', requestFor(sampleTool('plugin_tool', 1))],
  ['a memory write', requestFor(sampleTool('memory', 1))],
  ['a skill write', requestFor(sampleTool('skill_manage', 2))],
  ['a scheduled job', requestFor(sampleTool('cronjob', 2))],
  ['a message', requestFor(sampleTool('send_message', 2, { sendsTo: ['slack:#ops'] }))],
  ['an executor', requestFor(sampleTool('rollback', 3))],
];

const ROWS = KINDS.flatMap(([kind, request]) => CALLERS.map((caller) => [kind, caller, request] as const));

describe.each(ROWS)('%s by %s', (_, caller, request) => {
  const policy = { askFrom: 1 } as const;
  const mine = { ...request, requester: { ...ANN, caller } };

  it('is denied without somebody to ask, and says so in the audit log', async () => {
    const { gate, entries } = stage(memoryLedger(), policy);
    expect(await gate.permit(mine, undefined, NEVER)).toMatchObject({ allowed: false });
    expect(await entries()).toMatchObject([{ kind: 'action.denied', requester: { caller } }]);
  });

  it('is asked about, and happens only on a yes', async () => {
    const { gate, kinds } = stage(memoryLedger(), policy);
    const [no, yes] = [answering(NO), answering(YES)];
    expect(await gate.permit(mine, no, NEVER)).toMatchObject({ allowed: false });
    expect(await gate.permit(mine, yes, NEVER)).toMatchObject({ allowed: true, approval: yes.asked[0]?.id });
    expect(no.asked).toHaveLength(1);
    expect(await kinds()).toEqual([
      'approval.requested',
      'approval.denied',
      'approval.requested',
      'approval.granted',
      'approval.used',
    ]);
  });

  it('is denied where the policy denies it, whoever agrees', async () => {
    const { gate } = stage(memoryLedger(), { callers: { [caller]: { denyFrom: 1 } } });
    const channel = answering(YES);
    expect(await gate.permit(mine, channel, NEVER)).toMatchObject({ allowed: false });
    expect(channel.asked).toEqual([]);
  });
});
