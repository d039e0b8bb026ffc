import type { Host } from '#host';
import { openRateLimit } from './rate-limit.ts';
import type { TurnedAway } from './serve-request.ts';

/** So many lines of one address at once, then one a second: whoever knocks must not fill the audit log. */
const LINES = { perSecond: 1, burst: 60 };

/** Somebody tried and was not let in: a line in the audit log says so. */
export function auditTurnedAway(host: Host): (told: TurnedAway) => Promise<void> {
  const lines = openRateLimit(LINES, Date.now);
  return async ({ access, path, params, address, principal, refusal: { status, code, detail } }) => {
    if (lines.take(address)) return;
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
      ...(access === 'approve' ? { approval: params['id'] ?? '' } : {}),
    });
  };
}

function kindOf(access: TurnedAway['access'], path: string) {
  if (access === 'approve') return 'approval.refused';
  return path.startsWith('/gateway/') ? 'webhook.refused' : 'action.denied';
}
