import { useQuery } from '@tanstack/react-query';
import { queries } from '../api/queries.ts';
import { useMay } from '../session/session.tsx';
import { waitingCalls } from './requests-api.ts';

/** Everything that waits for agreement. Undefined: not known yet. Calls are told to those alone who may agree to them. */
export function useWaiting() {
  const approvals = useQuery(queries.approvals()).data?.filter(({ state }) => state === 'pending');
  const { data: calls = [] } = useQuery(waitingCalls(useMay('approver')));
  return { approvals, calls, count: approvals && approvals.length + calls.length };
}
