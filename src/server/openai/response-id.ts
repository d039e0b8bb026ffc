import { newId } from '#kit/new-id';

/** A response that is kept is a turn of a session, and its id says which. */
export const responseId = (kept: { readonly session: string; readonly turn: number } | undefined): string =>
  kept ? `resp_${kept.session.replace(/^ses_/, '')}_${kept.turn}` : newId('resp');

export function readResponseId(id: string): { readonly session: string; readonly turn: number } | undefined {
  const [, session, turn] = /^resp_([a-z0-9]{1,64})_(\d{1,9})$/.exec(id) ?? [];
  return session && turn ? { session: `ses_${session}`, turn: Number(turn) } : undefined;
}
