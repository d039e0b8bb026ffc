import type { ProposedAction } from '#spec/data';
import type { ExecutionOrder } from '#spec/ports';

/** An action of a test, with everything that an executor does not look at. */
export const sampleAction = (
  action: Pick<ProposedAction, 'operation' | 'service'> & Partial<ProposedAction>,
): ProposedAction => ({
  id: 'action-1',
  params: {},
  risk: 'destructive',
  reason: { en: 'The new version fails.', zh: '新版本出错。' },
  evidence: ['ev-1'],
  confirmTwice: false,
  separateApprover: false,
  rules: [],
  ...action,
});

/** An order that is still ours and not stopped, unless told. */
export const orderOf = (key: string, more: Partial<ExecutionOrder> = {}): ExecutionOrder => ({
  key,
  fence: 1,
  scope: 'flow-1',
  stillMine: () => Promise.resolve(true),
  signal: new AbortController().signal,
  ...more,
});
