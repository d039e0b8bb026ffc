import { redact } from '#kit/redact';
import type { ProposedAction } from '#spec/data';

/** `rollback_canary payment-service (from v2.3.1, to v2.3.0)`. */
export function showAction({
  operation,
  service,
  params,
}: Pick<ProposedAction, 'operation' | 'service' | 'params'>): string {
  const parts = Object.entries(params).map(([name, value]) => `${name} ${value}`);
  return redact(`${operation} ${service}${parts.length ? ` (${parts.join(', ')})` : ''}`);
}
