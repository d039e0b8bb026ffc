import type { Approval, Requester } from '#spec/data';

export const sampleRequester = (more: Partial<Requester> = {}): Requester => ({
  caller: 'chat',
  platform: 'cli',
  profile: 'default',
  session: 's1',
  user: 'ann',
  ...more,
});

/** A request that waits, made at 1,000 and open until 2,000. */
export const sampleApproval = (id: string, more: Partial<Approval> = {}): Approval => ({
  id,
  digest: 'd1',
  action: { tool: 'terminal', level: 3, input: { command: 'git push' }, shown: 'git push' },
  requester: sampleRequester(),
  reasons: [{ en: 'It reaches another machine.', zh: '它会连接另一台机器。' }],
  separate: false,
  state: 'pending',
  createdAt: 1_000,
  expiresAt: 2_000,
  ...more,
});
