import { queryOptions } from '@tanstack/react-query';
import type { Role } from '../api/records.ts';
import { request } from '../api/request.ts';

export interface Person {
  readonly user: string;
  readonly role: Role;
  /** Where they stand. */
  readonly by: 'users.yaml' | '.env' | 'loopback';
}

/** Who may sign in. For admins. */
export const peopleQuery = () =>
  queryOptions({
    queryKey: ['people'],
    queryFn: ({ signal }) => request<{ readonly people: readonly Person[] }>('/api/people', { signal }),
  });
