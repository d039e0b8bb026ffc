import { describe, expect, it, vi } from 'vitest';
import { memoryLedger } from '#testkit/gate';
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
  terminal,
  YES,
} from '#support/engines/gate/gate-stage';
import type { GatePolicy } from './gate-policy.ts';
import { RESTARTING } from './settle-request.ts';
import { judgeCommand } from './shell/judge-command.ts';

const LEVELS = [0, 1, 2, 3] as const;

describe('permit by level', () => {
  it.each(LEVELS)(
    'lets level %i through or asks, and writes down what is more than reading',
    async (level) => {
      const { gate, kinds } = stage(memoryLedger());
      const channel = answering(YES);
      const permit = await gate.permit(requestFor(sampleTool('t', level)), channel, NEVER);
      expect(permit).toMatchObject({ allowed: true });
      expect(channel.asked).toHaveLength(level === 3 ? 1 : 0);
      const asked = ['approval.requested', 'approval.granted', 'approval.used'];
      expect(await kinds()).toEqual(level === 3 ? asked : level === 0 ? [] : ['action.allowed']);
    },
  );

  it.each([
    ['by caller', { callers: { cron: { denyFrom: 1 as const } } }, { ...ANN, caller: 'cron' as const }],
    ['by platform', { platforms: { slack: { denyFrom: 1 as const } } }, { ...ANN, platform: 'slack' }],
  ])('denies from a level on, %s', async (_, policy, requester) => {
    const { gate, kinds } = stage(memoryLedger(), policy);
    const tool = sampleTool('t', 1);
    expect(await gate.permit(requestFor(tool, {}, { requester }), answering(YES), NEVER)).toMatchObject({
      allowed: false,
      reason: 'Level 1 is denied here.',
    });
    expect(await gate.permit(requestFor(tool), undefined, NEVER)).toEqual({ allowed: true });
    expect(await kinds()).toEqual(['action.denied', 'action.allowed']);
  });

  it('takes the higher of what the tool and the judge say', async () => {
    const { gate } = stage(memoryLedger(), { askFrom: 3, tools: {} });
    const channel = answering(YES);
    await gate.permit(runFor('push it'), channel, NEVER);
    expect(channel.asked[0]?.action.level).toBe(3);
    await gate.permit(requestFor(sampleTool('x', 3, { command: { text: 'ls' } })), channel, NEVER);
    expect(channel.asked[1]?.action.level).toBe(3);
  });
});

describe('what nothing lifts', () => {
  const generous = {
    allow: ['deny this', 'deny'],
    tools: { terminal: 'allow', refuser: 'allow' },
    smart: true,
  } as const;
  const approveAll = { askModel: async () => '{"id":"x","decision":"approve","reason":"fine"}' };

  it.each([
    ['a denied command', runFor('deny this')],
    ['a refusing tool', requestFor(sampleTool('refuser', 0, { refuse: 'Never.' }))],
    ['an unknown backend', runFor({ text: 'ls', backend: 'nowhere' })],
    ['a place without commands', { ...requestFor(terminal, { text: 'ls' }), place: () => undefined }],
    ['a guarded file', requestFor(sampleTool('w', 1, { writes: ['/home/ann/.hermes/config.yaml'] }))],
    ['a guarded word', runFor('ls /home/ann/x/../.hermes/ledger.db')],
    ['a guarded word by its short name', runFor('ls ~/.hermes/.env')],
    ['a guarded text', runFor('ls "$HOME"/.hermes')],
    ['a guarded folder', runFor({ text: 'ls', cwd: '/home/ann/.hermes/logs' })],
    [
      'guarded code',
      requestFor(sampleTool('c', 0, { code: { language: 'py', text: 'open("/home/ann/.hermes/x")' } })),
    ],
  ])('%s is denied, whatever anybody says', async (_, request) => {
    const guarded = { paths: ['/home/ann/.hermes'], userHome: '/home/ann' };
    const { gate, kinds } = stage(memoryLedger(), generous, { ...approveAll, guarded });
    const channel = answering({ granted: true, scope: 'always' });
    expect(await gate.permit(request, channel, NEVER)).toMatchObject({ allowed: false });
    expect(channel.asked).toEqual([]);
    expect(await kinds()).toEqual(['action.denied']);
  });

  it('follows relative paths from the workspace, and links', async () => {
    const guarded = {
      paths: ['/home/ann/.hermes'],
      real: (path: string) => path.replace('/home/ann/src/link', '/home/ann/.hermes'),
    };
    const { gate } = stage(memoryLedger(), {}, { guarded });
    const writes = async (path: string, workspace: string) =>
      (
        await gate.permit(
          requestFor(sampleTool('w', 1, { writes: [path] }), {}, { workspace }),
          undefined,
          NEVER,
        )
      ).allowed;
    expect(await writes('../.hermes/config.yaml', '/home/ann/src')).toBe(false);
    expect(await writes('link/config.yaml', '/home/ann/src')).toBe(false);
    expect(await writes('home/ann/notes/x', '/home/ann/src')).toBe(true);
    // By the rule for commands: a folder of that name is not written wherever it lies.
    expect(await writes('home/ann/.hermes/x', '/home/ann/src')).toBe(false);
  });

  it.each([
    '.envrc',
    '.husky/pre-commit',
    '.vscode/tasks.json',
    '.github/workflows/ci.yml',
    '.git/hooks/pre-push',
    'sub/.gitlab-ci.yml',
  ])('asks before a tool writes %s, as it does before a command writes it', async (path) => {
    const { gate } = stage(memoryLedger(), {}, { judge: judgeCommand });
    const tool = sampleTool('w', 1, { writes: [path] });
    const byTool = answering(NO);
    await gate.permit(requestFor(tool, {}, { workspace: '/w' }), byTool, NEVER);
    const byCommand = answering(NO);
    await gate.permit(runFor(`echo x > ${path}`), byCommand, NEVER);
    expect([byTool.asked.length, byCommand.asked.length]).toEqual([1, 1]);
  });

  it('leaves neighbours of a guarded place alone', async () => {
    const guarded = { paths: ['/home/ann/.hermes'], userHome: '/home/ann' };
    const { gate } = stage(memoryLedger(), {}, { guarded });
    expect(await gate.permit(runFor('ls ~/.hermes-notes'), undefined, NEVER)).toEqual({ allowed: true });
  });

  it('denies what a tool cannot tell, or tells wrongly', async () => {
    const { gate, entries } = stage(memoryLedger());
    const throwing = sampleTool('t', 0, () => {
      throw new Error('no idea');
    });
    for (const request of [
      requestFor(throwing),
      requestFor(sampleTool('t', 7 as 3)),
      runFor('ls', { place: () => Promise.reject(new Error('the backend is gone')) }),
      requestFor(sampleTool('t', 0), { n: Number.NaN }),
      requestFor(sampleTool('t', 0), { f: () => 1 }),
    ]) {
      const permit = await gate.permit(request, answering(YES), NEVER);
      expect(permit).toMatchObject({
        allowed: false,
        reason: expect.stringContaining('cannot tell') as string,
      });
    }
    expect(await entries()).toHaveLength(5);
  });

  it('denies everything when the ledger cannot be written', async () => {
    const ledger = memoryLedger();
    const audit = { ...ledger.audit, append: () => Promise.reject(new Error('disk full')) };
    const { gate } = stage({ ...ledger, audit });
    await expect(gate.permit(requestFor(sampleTool('t', 1)), undefined, NEVER)).rejects.toThrow('disk full');
    await expect(gate.permit(requestFor(sampleTool('t', 3)), answering(YES), NEVER)).rejects.toThrow(
      'disk full',
    );
  });
});

describe('asking', () => {
  it('denies at once where nobody can be asked, and leaves no request behind', async () => {
    const { gate, kinds } = stage(memoryLedger());
    expect(await gate.permit(runFor('make'), undefined, NEVER)).toMatchObject({
      allowed: false,
      reason: expect.stringContaining('nobody can be asked here') as string,
    });
    expect(await kinds()).toEqual(['action.denied']);
    expect(await gate.pending()).toEqual([]);
  });

  it('takes a yes from nobody who cannot be taken for a person, writes that down, and takes their no', async () => {
    const unproven = ({ channel }: { channel: string }) =>
      channel === 'job' ? 'It is no person.' : undefined;
    const { gate, entries } = stage(memoryLedger(), {}, { unproven });
    const by = { channel: 'job', user: 'ann' };
    const permit = gate.permit(runFor('make'), answering(undefined), NEVER);
    const id = async () => (await gate.pending())[0]?.id ?? '';
    await expect.poll(id).not.toBe('');
    await expect(gate.decide(await id(), { ...YES, by })).rejects.toMatchObject({
      record: { code: 'tool.refused', message: 'It is no person.' },
    });
    expect((await entries()).at(-1)).toMatchObject({
      kind: 'approval.refused',
      data: { by, reason: 'It is no person.' },
    });
    await gate.decide(await id(), { ...NO, by });
    expect(await permit).toMatchObject({ allowed: false });
  });

  it('asks for a confirmation below the level that asks', async () => {
    const { gate } = stage(memoryLedger());
    const channel = answering(NO);
    const permit = await gate.permit(requestFor(sampleTool('t', 0, { confirm: 'Really?' })), channel, NEVER);
    expect(permit).toEqual({ allowed: false, reason: 'ann did not agree.' });
    expect(channel.asked[0]?.reasons).toEqual([{ en: 'Really?', zh: 'Really?' }]);
  });

  it('asks before code runs without a sandbox, and not within one', async () => {
    const { gate } = stage(memoryLedger());
    const code = sampleTool('code', 0, { code: { language: 'python', text: 'print(1)' } });
    expect(await gate.permit(requestFor(code), undefined, NEVER)).toEqual({ allowed: true });
    const bare = { place: () => ({ ...BOX, isolation: 'none' as const }) };
    expect(await gate.permit(requestFor(code, {}, bare), undefined, NEVER)).toMatchObject({ allowed: false });
    const channel = answering(NO);
    await gate.permit(requestFor(code, {}, bare), channel, NEVER);
    expect(channel.asked[0]?.reasons).toEqual([
      { en: 'The code would run on this machine without a sandbox.', zh: '代码将不经沙箱直接在本机运行。' },
    ]);
  });

  describe('on the bare machine', () => {
    const bare = { place: () => ({ ...BOX, isolation: 'none' as const }) };
    const permits = async (text: string, policy: Partial<GatePolicy> = {}) =>
      (
        await stage(memoryLedger(), policy, { judge: judgeCommand }).gate.permit(
          runFor(text, bare),
          undefined,
          NEVER,
        )
      ).allowed;

    it('asks before a command that runs or changes something, and not before others', async () => {
      expect(await permits('python3 x.py')).toBe(false);
      expect(await permits('cp a b')).toBe(false);
      expect(await permits('git status')).toBe(true);
      expect(await permits('mkdir a')).toBe(true);
      const { gate } = stage(memoryLedger(), {}, { judge: judgeCommand });
      expect(await gate.permit(runFor('python3 x.py'), undefined, NEVER)).toEqual({ allowed: true });
    });

    it.each([
      'python3 x.py',
      "python3 -c 'print(1)'",
      'bash x.sh',
      './x.sh',
      'sh < x.sh',
      "node -e 'console.log(1)'",
      "perl -e 'print 1'",
      `awk 'BEGIN { while ((getline line < "x") > 0) print line }'`,
      `awk 'BEGIN { ARGV[1] = "x"; ARGC = 2 } { print }'`,
      `awk '{ print $1 | "sh" }' x`,
    ])('asks before %s, whatever lets commands pass otherwise', async (text) => {
      expect(await permits(text)).toBe(false);
      expect(await permits(text, { tools: { terminal: 'allow' }, allow: [text] })).toBe(false);
    });

    it('asks before no awk program that only turns text into text', async () => {
      expect(await permits("awk '{ print $1 }' x")).toBe(true);
      expect(await permits(`awk '$3 > 80 || $4 == "x" { n++ } END { printf "%d", n }' x`)).toBe(true);
    });

    it('writes down what only reads, too', async () => {
      const { gate, entries } = stage(memoryLedger(), {}, { judge: judgeCommand });
      await gate.permit(runFor('git status'), undefined, NEVER);
      expect(await entries()).toEqual([]);
      await gate.permit(runFor('git status', bare), undefined, NEVER);
      expect(await entries()).toMatchObject([{ kind: 'action.allowed', data: { level: 0 } }]);
    });

    it('takes the lists of the owner and what was granted for an answer', async () => {
      expect(await permits('npm test', { allow: ['npm test'] })).toBe(true);
      expect(await permits('npm run x', { allow: ['npm test'] })).toBe(false);
      expect(await permits('npm run x', { tools: { terminal: 'allow' } })).toBe(true);
      expect(await permits('npm run x', { tools: { terminal: 'allow' }, separateApprover: true })).toBe(
        false,
      );
      const { gate } = stage(memoryLedger(), {}, { judge: judgeCommand });
      const channel = answering({ granted: true, scope: 'always' });
      await gate.permit(runFor('npm test', bare), channel, NEVER);
      expect(channel.asked[0]?.prefix).toEqual(['npm', 'test']);
      expect(await gate.permit(runFor('npm test unit', bare), undefined, NEVER)).toMatchObject({
        allowed: true,
      });
      expect(await gate.permit(runFor('npm run x', bare), undefined, NEVER)).toMatchObject({
        allowed: false,
      });
    });

    it('is not left to a model', async () => {
      const askModel = vi.fn<() => Promise<string>>(async () => '{}');
      const { gate } = stage(memoryLedger(), { smart: true }, { judge: judgeCommand, askModel });
      await gate.permit(runFor('python3 x.py', bare), undefined, NEVER);
      expect(askModel).not.toHaveBeenCalled();
    });
  });

  it('waits for an answer from elsewhere, and tells the channel when it came', async () => {
    const { gate } = stage(memoryLedger(), {}, { pollMs: 60_000 });
    let shown: AbortSignal | undefined;
    const channel = {
      show: async (_: unknown, signal: AbortSignal) => {
        shown = signal;
        return undefined;
      },
    };
    const permit = gate.permit(runFor('make'), channel, NEVER);
    await expect.poll(() => gate.pending('s1')).toHaveLength(1);
    const [request] = await gate.pending();
    expect(await gate.pending('s2')).toEqual([]);
    await gate.decide(request?.id ?? '', { granted: true, by: { channel: 'slack', user: 'bob' } });
    expect(await permit).toEqual({ allowed: true, approval: request?.id });
    expect(shown?.aborted).toBe(true);
    await expect(
      gate.decide(request?.id ?? '', { ...YES, by: { channel: 'slack', user: 'eve' } }),
    ).rejects.toThrow('no longer open: it was used by bob');
  });

  it('finds what another process decided by looking', async () => {
    const ledger = memoryLedger();
    const here = stage(ledger).gate;
    const there = stage(ledger).gate;
    const permit = here.permit(runFor('make'), answering(undefined), NEVER);
    await expect.poll(() => there.pending()).toHaveLength(1);
    const [request] = await there.pending();
    await there.decide(request?.id ?? '', { ...NO, by: { channel: 'console', user: 'bob' } });
    expect(await permit).toEqual({ allowed: false, reason: 'bob did not agree.' });
  });

  it('expires', async () => {
    const { gate, kinds } = stage(memoryLedger(), { waitMs: 30 });
    const permit = await gate.permit(runFor('make'), answering(undefined), NEVER);
    expect(permit).toMatchObject({
      allowed: false,
      reason: expect.stringContaining('nobody answered') as string,
    });
    expect(await kinds()).toEqual(['approval.requested', 'approval.expired']);
  });

  it('sweeps out requests that nobody waits for any more', async () => {
    let now = 1_000;
    const { gate, ledger, kinds } = stage(memoryLedger(), {}, { now: () => now });
    const stop = new AbortController();
    const permit = gate.permit(runFor('make'), answering(undefined), stop.signal);
    await expect.poll(() => gate.pending()).toHaveLength(1);
    stop.abort(RESTARTING);
    expect(await permit).toMatchObject({ allowed: false });
    const [request] = await gate.pending();
    now += 10 * 60_000;
    await expect(
      gate.decide(request?.id ?? '', { ...YES, by: { channel: 'x', user: 'ann' } }),
    ).rejects.toThrow('expired');
    expect(await gate.pending()).toEqual([]);
    expect(await ledger.approvals.get(request?.id ?? '')).toMatchObject({ state: 'expired' });
    expect(await kinds()).toEqual(['approval.requested', 'approval.refused', 'approval.expired']);
  });

  it('is withdrawn when the call is interrupted', async () => {
    const { gate, kinds } = stage(memoryLedger());
    const stop = new AbortController();
    const permit = gate.permit(runFor('make'), answering(undefined), stop.signal);
    await expect.poll(() => gate.pending()).toHaveLength(1);
    stop.abort();
    expect(await permit).toEqual({ allowed: false, reason: 'It was interrupted.' });
    expect(await kinds()).toEqual(['approval.requested', 'approval.withdrawn']);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('no connection');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no connection'))],
  ])('denies when the channel %s', async (_, show) => {
    const { gate } = stage(memoryLedger());
    expect(await gate.permit(runFor('make'), { show }, NEVER)).toMatchObject({
      allowed: false,
      reason: expect.stringContaining('no connection') as string,
    });
    expect(await gate.pending()).toEqual([]);
  });

  it.each([YES, NO])('gives nothing on an answer that nobody signs: %j', async (answer) => {
    const { gate, kinds } = stage(memoryLedger(), { waitMs: 40 });
    const { show } = answering(answer);
    expect(await gate.permit(runFor('make'), { show }, NEVER)).toMatchObject({ allowed: false });
    expect(await kinds()).toEqual(['approval.requested', 'approval.expired']);
  });
});

describe('who may agree', () => {
  it('is somebody else where the policy wants it, also on one backend alone', async () => {
    const { gate } = stage(memoryLedger(), { waitMs: 5_000, backends: { box: { separateApprover: true } } });
    const channel = answering(YES);
    const permit = gate.permit(runFor('make'), channel, NEVER);
    await expect.poll(() => channel.asked).toHaveLength(1);
    const id = channel.asked[0]?.id ?? '';
    expect(channel.asked[0]).toMatchObject({ separate: true });
    await expect(gate.decide(id, { ...YES, by: { channel: 'slack', user: 'ann' } })).rejects.toMatchObject({
      record: { code: 'tool.refused' },
    });
    await gate.decide(id, { ...YES, by: { channel: 'slack', user: 'bob' } });
    expect(await permit).toEqual({ allowed: true, approval: id });
  });

  it('lets whoever asked say no', async () => {
    const { gate } = stage(memoryLedger(), { separateApprover: true });
    expect(await gate.permit(runFor('make'), answering(NO), NEVER)).toEqual({
      allowed: false,
      reason: 'ann did not agree.',
    });
  });

  it('is on the list, where there is one, and is never a model or nobody', async () => {
    const { gate } = stage(memoryLedger(), { approvers: ['slack:bob', 'model:reviewer'] });
    const permit = gate.permit(runFor('make'), answering(undefined), NEVER);
    await expect.poll(() => gate.pending()).toHaveLength(1);
    const id = (await gate.pending())[0]?.id ?? '';
    for (const by of [
      { channel: 'cli', user: 'bob' },
      { channel: 'slack', user: 'ann' },
      { channel: 'model', user: 'reviewer' },
      { channel: 'slack', user: '' },
    ]) {
      await expect(gate.decide(id, { ...YES, by }), JSON.stringify(by)).rejects.toThrow(/agree to this/);
    }
    await gate.decide(id, { ...YES, by: { channel: 'slack', user: 'bob' } });
    expect(await permit).toMatchObject({ allowed: true });
  });
});
