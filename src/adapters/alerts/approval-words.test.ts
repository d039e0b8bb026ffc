import { describe, expect, it } from 'vitest';
import { cpuMs } from '#testkit/cpu-time';
import { readApprovalWords } from './approval-words.ts';

const read = (text: string) => readApprovalWords(text, 'u1');

describe('readApprovalWords', () => {
  it.each([
    ['批准 approval_xxxxx CONFIRM_EXECUTE。先 dry-run。', 'approval_xxxxx', 'CONFIRM_EXECUTE'],
    ['@RunbookHermes approve approval_x CONFIRM_EXECUTE', 'approval_x', 'CONFIRM_EXECUTE'],
    ['Approve k3m9x2pq', 'k3m9x2pq', undefined],
    ['/approve k3m9x2pq CONFIRM_EXECUTE', 'k3m9x2pq', 'CONFIRM_EXECUTE'],
    ['同意 approval_1!', 'approval_1', undefined],
  ])('takes "%s" as a grant', (text, approval, confirmation) =>
    expect(read(text)).toEqual({
      approval,
      granted: true,
      user: 'u1',
      ...(confirmation ? { confirmation } : {}),
    }),
  );

  it.each([
    'reject approval_x',
    '拒绝 approval_x:高峰期',
    'reject approval_x because of the peak',
    'deny k3m9x2pq.',
  ])('takes "%s" as a refusal', (text) => expect(read(text)).toMatchObject({ granted: false, user: 'u1' }));

  it.each([
    'approve approval_x later',
    'approve approval_x?',
    'approve approval_x, but not before six',
    'approve approval_x not yet, wait',
    "don't approve approval_x",
    '不批准 approval_x',
    'Can somebody approve approval_x',
    'approve the rollback',
    'approve',
    '他说:批准 approval_x',
    'disapprove approval_x',
    'please look at payment-service',
  ])('takes "%s" as nothing but a message', (text) => expect(read(text)).toBeUndefined());

  it('is not misled by characters that cannot be seen', () =>
    expect(read('approve approval\u200b_x')).toMatchObject({ approval: 'approval_x' }));

  it('takes no time for a long message', () => {
    const before = cpuMs();
    read(`${'@a '.repeat(20_000)}approve ${'x_'.repeat(20_000)}`);
    expect(cpuMs() - before).toBeLessThan(200);
  });
});
