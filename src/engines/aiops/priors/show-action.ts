import { redact } from '#kit/redact';
import type { ProposedAction } from '#spec/data';

/** `scale_deployment order-service (from 2, replicas 4)`. */
export function showAction({
  operation,
  service,
  params,
}: Pick<ProposedAction, 'operation' | 'service' | 'params'>): string {
  const parts = Object.entries(params).map(([name, value]) => `${name} ${value}`);
  return redact(`${operation} ${service}${parts.length ? ` (${parts.join(', ')})` : ''}`);
}
