import { describe, expect, it } from 'vitest';
import { asText } from '#kit/text';
import { memoryLedger } from '#testkit/gate';
import {
  ANN,
  answering,
  BOX,
  NEVER,
  requestFor,
  runFor,
  sampleTool,
  stage,
} from '#support/engines/gate/gate-stage';
import type { Decision } from './approval-channel.ts';
import type { PermitRequest } from './assess.ts';
import type { Judge } from './judgement.ts';

type Policy = Parameters<typeof stage>[1];

/** Grants one call for longer, and tells whether another passes without a question. */
async function passes(
  granted: PermitRequest,
  decision: Omit<Decision, 'granted'>,
  next: PermitRequest,
  { policy = {}, judge }: { policy?: Policy; judge?: Judge } = {},
): Promise<boolean> {
  const { gate } = stage(memoryLedger(), policy, judge ? { judge } : {});
  expect(await gate.permit(granted, answering({ granted: true, ...decision }), NEVER)).toMatchObject({
    allowed: true,
  });
  return (await gate.permit(next, undefined, NEVER)).allowed;
}

const session = { scope: 'session' } as const;
const always = { scope: 'always' } as const;
const other = { requester: { ...ANN, session: 's2' } };

describe('a grant for longer', () => {
  it.each<[string, PermitRequest, Omit<Decision, 'granted'>, PermitRequest, boolean]>([
    ['the same again', runFor('make test'), session, runFor('make test'), true],
    ['once only', runFor('make test'), { scope: 'once' }, runFor('make test'), false],
    ['more words', runFor('make test'), session, runFor('make test unit'), true],
    ['other words', runFor('make test'), session, runFor('make deploy'), false],
    ['a word that only begins alike', runFor('make test'), session, runFor('make tests'), false],
    [
      'a shorter prefix',
      runFor('npm run build x'),
      { ...session, prefix: ['npm', 'run'] },
      runFor('npm run y'),
      true,
    ],
    ['another session', runFor('make test'), session, runFor('make test', other), false],
    ['another session, always', runFor('make test'), always, runFor('make test', other), true],
    [
      'another person',
      runFor('make test'),
      always,
      runFor('make test', { requester: { ...ANN, user: 'bob' } }),
      false,
    ],
    ['another folder', runFor('make test'), always, runFor({ text: 'make test', cwd: '/w/sub' }), false],
    ['another workspace', runFor('make test'), always, runFor('make test', { workspace: '/v' }), false],
    [
      'another workspace of the backend',
      runFor('make test'),
      session,
      runFor('make test', { place: () => ({ ...BOX, workspace: '/v' }) }),
      false,
    ],
    ['an input', runFor('make test'), session, runFor({ text: 'make test', input: 'x' }), false],
    [
      'the same input',
      runFor({ text: 'make test', input: 'x' }),
      session,
      runFor({ text: 'make test', input: 'x' }),
      false,
    ],
    ['a quoted word', runFor('make test'), session, runFor(`make 'test'`), true],
    ['two of them', runFor('make test'), session, runFor('make test && make test all'), true],
    ['one of them', runFor('make test'), session, runFor('make test && make deploy'), false],
    ['a pipe to something', runFor('make test'), session, runFor('make test | sh'), false],
    ['a redirection', runFor('make test'), session, runFor('make test > /etc/passwd'), false],
    ['an assignment', runFor('make test'), session, runFor('PATH=/x make test'), false],
    ['a substitution', runFor('make test'), session, runFor('make test $(id)'), false],
    ['a backtick', runFor('make test'), session, runFor('make test `id`'), false],
    ['a variable', runFor('make test'), session, runFor('make test $X'), false],
    ['a glob', runFor('make test'), session, runFor('make test *'), false],
    ['a second line', runFor('make test'), session, runFor('make test\nmake deploy'), false],
    ['the background', runFor('make test'), session, runFor('make test &'), false],
    ['left running', runFor('make test'), session, runFor({ text: 'make test', background: true }), false],
    [
      'another environment',
      runFor('make test'),
      session,
      runFor({ text: 'make test', env: { A: '1' } }),
      false,
    ],
    [
      'another backend',
      runFor('make test'),
      session,
      runFor('make test', { place: () => ({ ...BOX, backend: 'prod' }) }),
      false,
    ],
    ['a floor', runFor('make test'), session, runFor('make test deny'), false],
    ['a higher level', runFor('make test'), session, runFor('make test push'), false],
    ['secrets', runFor('cat secret'), session, runFor('cat secret'), false],
    ['sensitive, word for word', runFor('git push'), session, runFor('git push'), true],
    ['sensitive, and a flag more', runFor('git push'), session, runFor('git push --force'), false],
    ['one word', runFor('make'), session, runFor('make'), true],
    ['one word and more', runFor('make'), session, runFor('make deploy'), false],
    ['no plain line', runFor('make test > out'), session, runFor('make test > out'), false],
    ['several commands at once', runFor('make a && make b'), session, runFor('make a && make b'), false],
  ])('%s', async (_, granted, decision, next, expected) => {
    expect(await passes(granted, decision, next)).toBe(expected);
  });

  it.each([
    ['a program alone', ['npm']],
    ['nothing', []],
    ['other words', ['npm', 'publish']],
    ['more words', ['npm', 'run', 'build', 'x']],
  ])('becomes one for this call when %s is wanted', async (_, prefix) => {
    const { gate, ledger } = stage(memoryLedger());
    await gate.permit(runFor('npm run build'), answering({ granted: true, scope: 'always', prefix }), NEVER);
    const [approval] = await ledger.approvals.list({ limit: 1 });
    expect(approval).toMatchObject({ state: 'used', scope: { kind: 'once' } });
  });

  it('does not hold for what the judge finds inside', async () => {
    const judge: Judge = (text) => ({
      verdict: 'ask',
      level: 2,
      reasons: [asText('It is judged.')],
      commands: [text.split(' '), ...(text.includes('-exec') ? [['rm', 'x']] : [])],
      outward: false,
      readsPrivate: false,
      runsCode: false,
    });
    expect(await passes(runFor('find .'), session, runFor('find . -name y'), { judge })).toBe(true);
    expect(await passes(runFor('find .'), session, runFor('find . -exec rm x'), { judge })).toBe(false);
  });

  it('does not hold for a higher level, nor for what the judge has left out', async () => {
    const judge: Judge = (text) => ({
      verdict: 'ask',
      level: text.includes('--write') ? 2 : 1,
      reasons: [asText('It is judged.')],
      commands: [text.replace('sudo ', '').split(' ')],
      outward: false,
      readsPrivate: false,
      runsCode: false,
    });
    expect(await passes(runFor('fmt all'), session, runFor('fmt all --check'), { judge })).toBe(true);
    expect(await passes(runFor('fmt all'), session, runFor('fmt all --write'), { judge })).toBe(false);
    expect(await passes(runFor('fmt all'), session, runFor('sudo fmt all'), { judge })).toBe(false);
    expect(await passes(runFor('sudo fmt all'), session, runFor('sudo fmt all'), { judge })).toBe(false);
  });

  it('does not hold for what gives the judge new grounds to ask', async () => {
    const judge: Judge = (text) => {
      const reasons = [
        ...(text.startsWith('tool') ? [asText(`\`${text}\` is not on the list.`)] : []),
        ...(text.includes('--force') ? [asText(`\`${text}\` overwrites something.`)] : []),
      ];
      const verdict = reasons.length > 0 ? 'ask' : 'allow';
      const commands = [text.replaceAll("'", '').split(' ')];
      return { verdict, level: 2, reasons, commands, outward: false, readsPrivate: false, runsCode: false };
    };
    const strict = { policy: { askFrom: 2 } as const, judge };
    const holds = (granted: string, next: string) => passes(runFor(granted), session, runFor(next), strict);
    expect(await holds('git send a', 'git send a b')).toBe(true);
    expect(await holds('git send a', 'git send a --force')).toBe(false);
    expect(await holds('tool run', 'tool run it')).toBe(true);
    expect(await holds('tool run', 'tool run --force')).toBe(false);
    expect(await holds('tool run --force', 'tool run --force it')).toBe(true);
    expect(await holds('git send a', `${'git send a; '.repeat(20)}git send a --force`)).toBe(false);
    const listed = stage(memoryLedger(), { allow: ['git send', 'tool'] }, { judge }).gate;
    expect(await listed.permit(runFor('tool x'), undefined, NEVER)).toMatchObject({ allowed: true });
    expect(await listed.permit(runFor('git send --force'), undefined, NEVER)).toMatchObject({
      allowed: false,
    });
  });

  it('holds for exactly the same call of another tool', async () => {
    const tool = sampleTool('send', 3, (input) => ({ sendsTo: [(input as { to: string }).to] }));
    const to = (name: string, more: Partial<PermitRequest> = {}) =>
      requestFor(tool, { to: name, text: 'hi' }, more);
    expect(await passes(to('ops'), session, to('ops'))).toBe(true);
    expect(await passes(to('ops'), always, to('ops', other))).toBe(true);
    expect(await passes(to('ops'), always, to('all'))).toBe(false);
    expect(await passes(to('ops', { workspace: '/a' }), always, to('ops', { workspace: '/b' }))).toBe(false);
    expect(await passes(to('ops', { workspace: '/a' }), always, to('ops', { workspace: '/a' }))).toBe(true);
    expect(await passes(to('ops'), always, { ...to('ops'), tool: { ...tool, name: 'post' } })).toBe(false);
  });

  it('ends when it is taken back', async () => {
    const { gate, ledger } = stage(memoryLedger());
    await gate.permit(runFor('make test'), answering({ granted: true, scope: 'always' }), NEVER);
    const [grant] = await ledger.approvals.standing(ANN, Date.now());
    expect(grant).toMatchObject({ scope: { kind: 'always', prefix: ['make', 'test'] } });
    expect(await gate.revoke(grant?.id ?? '', { channel: 'cli', user: 'ann' })).toBe(true);
    expect(await gate.permit(runFor('make test'), undefined, NEVER)).toMatchObject({ allowed: false });
  });
});

describe('where a second person has to agree', () => {
  const strict = { separateApprover: true } as const;

  it('neither lists nor own grants of before speak for one', async () => {
    const ledger = memoryLedger();
    await stage(ledger).gate.permit(
      runFor('make test'),
      answering({ granted: true, scope: 'always' }),
      NEVER,
    );
    const tool = requestFor(sampleTool('deploy', 3));
    await stage(ledger).gate.permit(tool, answering({ granted: true, scope: 'always' }), NEVER);
    const lists = { allow: ['make test'], tools: { deploy: 'allow' } } as const;
    for (const request of [runFor('make test'), tool]) {
      expect(await stage(ledger).gate.permit(request, undefined, NEVER)).toMatchObject({ allowed: true });
      const { gate } = stage(ledger, { ...strict, ...lists });
      expect(await gate.permit(request, undefined, NEVER)).toMatchObject({ allowed: false });
    }
  });

  it('the grant of another person does, while they may give it', async () => {
    const ledger = memoryLedger();
    const bob = { channel: 'slack', user: 'bob' };
    const yes = answering({ granted: true, scope: 'always' }, bob);
    await stage(ledger, strict).gate.permit(runFor('make test'), yes, NEVER);
    expect(await stage(ledger, strict).gate.permit(runFor('make test'), undefined, NEVER)).toMatchObject({
      allowed: true,
    });
    const { gate } = stage(ledger, { ...strict, approvers: ['slack:eve'] });
    expect(await gate.permit(runFor('make test'), undefined, NEVER)).toMatchObject({ allowed: false });
  });
});

describe('the allow list', () => {
  const allowed = async (text: string, allow: readonly string[], more: Policy = {}) =>
    (await stage(memoryLedger(), { allow, ...more }).gate.permit(runFor(text), undefined, NEVER)).allowed;

  it.each([
    ['git status', ['git status'], true],
    ['git status --short', ['git status'], true],
    ['make -C x', ['make'], true],
    ['git stash', ['git status'], false],
    ['git status; git stash', ['git status'], false],
    ['git status; make all', ['git status', 'make'], true],
    ['git status > x', ['git status'], false],
    ['git push', ['git push'], true],
    ['git push --force', ['git push'], false],
    ['git deny', ['git deny'], false],
    ['cat secret', ['cat secret', 'cat'], false],
    ['make', ['$(x)', ''], false],
  ])('%s with %j: %s', async (text, allow, expected) => {
    expect(await allowed(text, allow)).toBe(expected);
  });

  it('is written down with what it let through', async () => {
    const { gate, entries } = stage(memoryLedger(), { allow: ['make'] });
    await gate.permit(runFor('make'), undefined, NEVER);
    expect(await entries()).toMatchObject([
      { kind: 'action.allowed', data: { by: 'policy', tool: 'terminal' } },
    ]);
  });

  it('goes to the judge as a deny list', async () => {
    const seen: unknown[] = [];
    const judge: Judge = (_, place) => {
      seen.push(place);
      return {
        verdict: 'deny',
        level: 3,
        reasons: [],
        commands: [],
        outward: false,
        readsPrivate: false,
        runsCode: false,
      };
    };
    const { gate } = stage(memoryLedger(), { deny: ['sudo'] }, { judge });
    const place = () => ({ ...BOX, denied: ['rm -rf'], allowed: ['git'] });
    expect(await gate.permit(runFor('sudo x', { place }), undefined, NEVER)).toMatchObject({
      allowed: false,
    });
    expect(seen).toEqual([
      { holds: true, cwd: '/w', workspace: '/w', denied: ['rm -rf', 'sudo'], allowed: ['git'] },
    ]);
  });
});
