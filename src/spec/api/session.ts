import { z } from 'zod';
import { defineContracts } from './contract.ts';

/** Each may do what those before it may. */
export const Role = z.enum(['viewer', 'operator', 'approver', 'admin']);
export type Role = z.infer<typeof Role>;

const MOST_BYTES = 4_096;

/** Who is signed in. */
const SignedIn = z.object({
  user: z.string(),
  role: Role,
  authRequired: z.boolean(),
  csrf: z.string(),
});
export type SignedIn = z.infer<typeof SignedIn>;

/** Signing in and out of the console. They ask for no token: who it is, is found out there. */
export const SESSION = defineContracts({
  show: {
    method: 'GET',
    path: '/api/session',
    access: 'public',
    proves: true,
    summary: 'Who is signed in, and what has to come along with changes',
    answer: SignedIn,
  },
  signIn: {
    method: 'POST',
    path: '/api/session',
    access: 'public',
    proves: true,
    maxBytes: MOST_BYTES,
    summary: 'Sign in with a token: sets the cookie of the session',
    body: z.strictObject({ token: z.string().min(1).max(500), user: z.string().max(200).optional() }),
    answer: SignedIn,
  },
  code: {
    method: 'POST',
    path: '/api/session/code',
    access: 'admin',
    summary: 'A word that signs the owner in once; told to a terminal of this machine only',
    answer: z.object({ code: z.string() }),
  },
  signOut: {
    method: 'DELETE',
    path: '/api/session',
    access: 'public',
    proves: true,
    summary: 'Sign out',
    status: 204,
  },
});
