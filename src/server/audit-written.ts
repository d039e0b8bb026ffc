import type { Host } from '#host';
import type { Written } from './serve-request.ts';

type Needs = Pick<Host, 'gate' | 'home'>;

/**
 * What somebody changed over the API, or tried to when it broke on our side: a line in the audit log, without the body.
 * Telemetry and webhooks are not among it: they come by the thousand, and what they say is in the timelines.
 */
export function auditWritten(host: Needs): (told: Written) => Promise<void> {
  return async ({ method, path, status, address, principal, session }) => {
    if (!path.startsWith('/api/')) return;
    const { audit } = await host.gate();
    const requester = {
      caller: 'api' as const,
      platform: principal.channel,
      profile: host.home.profile,
      session: session ? 'console' : 'http',
      user: principal.user,
    };
    await audit.append('api.written', requester, {
      shown: `${method} ${path} ${status}`,
      method,
      path,
      status,
      role: principal.role,
      address,
    });
  };
}
