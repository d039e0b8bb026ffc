import { queryOptions } from '@tanstack/react-query';
import { ask } from '../api/ask.ts';

/** Who may sign in. For admins. */
export const peopleQuery = () =>
  queryOptions({ queryKey: ['people'], queryFn: ({ signal }) => ask('GET /api/people', { signal }) });
