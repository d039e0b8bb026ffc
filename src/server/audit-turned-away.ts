import type { Host } from '#host';
import { KNOCKS, lineBudget } from '#kit/line-budget';
import { steadyClock } from '#kit/steady-clock';
import type { TurnedAway } from './serve-request.ts';

type Needs = Pick<Host, 'gate' | 'home'>;

/** Somebody tried and was not let in: a line in the audit log says so. */
export function auditTurnedAway(host: Needs): (told: TurnedAway) => Promise<void> {
  const lines = lineBudget(KNOCKS, steadyClock());
  return async ({ access, path, params, address, principal, refusal: { status, code, detail } }) => {
    const leftOut = lines(address);
    if (leftOut === undefined) return;
    const { audit } = await host.gate();
    const requester = {
      caller: 'api' as const,
      platform: principal?.channel ?? 'http',
      profile: host.home.profile,
      session: 'http',
      user: principal?.user ?? '',
    };
    await audit.append(kindOf(access, path), requester, {
      path,
      address,
      status,
      code,
      reason: detail,
      ...(leftOut > 0 ? { leftOut } : {}),
      ...(access === 'approve' ? { approval: params['id'] ?? '' } : {}),
    });
  };
}

function kindOf(access: TurnedAway['access'], path: string) {
  if (access === 'approve') return 'approval.refused';
  return path.startsWith('/gateway/') ? 'webhook.refused' : 'action.denied';
}
