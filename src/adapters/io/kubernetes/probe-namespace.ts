import { z } from 'zod';
import type { Target } from '../http/open-target.ts';

/**
 * Asks for one ReplicaSet, which whoever works here must be allowed to list. The version of the API would be told to
 * everybody, and so prove neither the token nor its rights.
 */
export async function probeNamespace(target: Target, namespace: string, signal: AbortSignal): Promise<void> {
  const path = `/apis/apps/v1/namespaces/${namespace}/replicasets?limit=1`;
  await target.read(z.looseObject({ items: z.array(z.unknown()) }), { method: 'GET', path }, signal);
}
