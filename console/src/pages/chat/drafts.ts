/** What was typed and not sent, by conversation. A conversation that has not begun has one place of its own. */
const drafts = new Map<string | undefined, string>();

export const draftOf = (session: string | undefined): string => drafts.get(session) ?? '';

export function keepDraft(session: string | undefined, text: string): void {
  if (text) drafts.set(session, text);
  else drafts.delete(session);
}
