import type { Role, SignedIn } from '#spec/api';
import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext } from 'react';
import { keepCsrf } from '../api/ask.ts';
import { Problem } from '../api/problem.ts';
import { queries } from '../api/queries.ts';

/** Each may do what those before it may. */
const RANK: Readonly<Record<Role, number>> = { viewer: 0, operator: 1, approver: 2, admin: 3 };

const Context = createContext<SignedIn | undefined>(undefined);

/** Whether somebody is signed in: `children` with a session, `signIn` without, `failed` when nobody can tell. */
export function SessionGate(props: {
  readonly children: ReactNode;
  readonly signIn: ReactNode;
  readonly loading: ReactNode;
  readonly failed: (thrown: unknown, again: () => void) => ReactNode;
}) {
  const { data, error, refetch } = useQuery(queries.session());
  if (error instanceof Problem && error.status === 401) return props.signIn;
  if (data) {
    keepCsrf(data.csrf);
    return <Context value={data}>{props.children}</Context>;
  }
  return error ? props.failed(error, () => void refetch()) : props.loading;
}

export function useSession(): SignedIn {
  const session = useContext(Context);
  if (!session) throw new Error('nobody is signed in here');
  return session;
}

/** Whether whoever is signed in may do what needs this role. The server decides; this only says so beforehand. */
export const useMay = (role: Role): boolean => RANK[useSession().role] >= RANK[role];
