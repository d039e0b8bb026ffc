import { z } from 'zod';
import { asText } from '#kit/text';
import type { Approval, AuditEntry, Requester } from '#spec/data';
import { type Deed, defineTool, type EffectLevel, type Tool } from '#spec/ports';
import type { ApprovalChannel, Decision } from '../../../../src/engines/gate/approval-channel.ts';
import type { CommandPlace, PermitRequest } from '../../../../src/engines/gate/assess.ts';
import { DEFAULT_POLICY, type GatePolicy } from '../../../../src/engines/gate/gate-policy.ts';
import type { Judge } from '../../../../src/engines/gate/judgement.ts';
import { type Gate, type GateDeps, openGate } from '../../../../src/engines/gate/open-gate.ts';

/** What tests of the gate share: tools that only say what they would do, and a judge of a few words. */

export const ANN: Requester = {
  caller: 'chat',
  platform: 'cli',
  profile: 'default',
  session: 's1',
  user: 'ann',
};
export const BOX: CommandPlace = {
  backend: 'box',
  cwd: '/w',
  isolation: 'process',
  network: false,
  workspace: '/w',
};
export const NEVER: AbortSignal = new AbortController().signal;

export const sampleTool = (
  name: string,
  effect: EffectLevel,
  deed: Deed | ((input: unknown) => Deed) = {},
): Tool =>
  defineTool({
    name,
    toolset: 'test',
    description: '',
    input: z.unknown(),
    effect: () => effect,
    deed: (input) => (typeof deed === 'function' ? deed(input) : deed),
    run: async () => ({ content: [], summary: '' }),
  });

/** `deny` denies, `ls` reads, `push` is sensitive, `secret` reads keys, `curl` goes out, `python` runs code; everything else asks. */
const wordJudge: Judge = (text) => {
  const commands = text
    .replaceAll("'", '')
    .split(/&&|;|\|/)
    .map((part) => part.trim().split(/\s+/));
  const has = (word: string) => text.includes(word);
  const level = has('push') || has('secret') ? 3 : has('ls') ? 0 : 2;
  const verdict = has('deny') ? 'deny' : has('ls') || has('curl') ? 'allow' : 'ask';
  return {
    verdict,
    level,
    reasons: verdict === 'allow' ? [] : [asText(`'${commands[0]?.[0]}' is judged.`)],
    commands,
    outward: has('curl'),
    readsPrivate: has('secret'),
    runsCode: has('python'),
  };
};

export interface Run {
  readonly text: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly backend?: string;
  readonly background?: boolean;
  readonly input?: string;
}

export const terminal: Tool = sampleTool('terminal', 0, (input) => ({ command: input as Run }));

export const requestFor = (
  tool: Tool,
  input: unknown = {},
  more: Partial<PermitRequest> = {},
): PermitRequest => ({
  tool,
  input,
  call: 'c1',
  requester: ANN,
  place: (backend) => (backend === undefined || backend === BOX.backend ? BOX : undefined),
  ...more,
});

export const runFor = (run: Run | string, more: Partial<PermitRequest> = {}): PermitRequest =>
  requestFor(terminal, typeof run === 'string' ? { text: run } : run, more);

/** Somebody at a terminal who always says the same. */
export function answering(
  decision: Decision | undefined,
  approver: ApprovalChannel['approver'] = { channel: 'terminal', user: 'ann' },
): ApprovalChannel & { readonly asked: Approval[] } {
  const asked: Approval[] = [];
  return {
    asked,
    ...(approver ? { approver } : {}),
    show: async (approval) => {
      asked.push(approval);
      return decision;
    },
  };
}

export const YES: Decision = { granted: true };
export const NO: Decision = { granted: false };

export interface Stage {
  readonly gate: Gate;
  readonly ledger: Pick<GateDeps, 'approvals' | 'audit' | 'taints'>;
  kinds(): Promise<readonly AuditEntry['kind'][]>;
  entries(): Promise<readonly AuditEntry[]>;
}

export function stage(
  ledger: Stage['ledger'],
  policy: Partial<GatePolicy> = {},
  more: Partial<GateDeps> = {},
): Stage {
  const { approvals, audit, taints } = ledger;
  const gate = openGate({
    approvals,
    audit,
    taints,
    policy: { ...DEFAULT_POLICY, ...policy },
    judge: wordJudge,
    pollMs: 10,
    ...more,
  });
  const entries = () => audit.read(0, 1_000);
  return { gate, ledger, entries, kinds: async () => (await entries()).map(({ kind }) => kind) };
}
