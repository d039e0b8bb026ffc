import { showHidden } from '#kit/hidden-characters';
import { redact } from '#kit/redact';

/** What came from an alert, a log or a model, as it may be shown: no credential, nothing that cannot be seen. */
export const plainText = (text: string): string => showHidden(redact(text.toWellFormed()));

/** The same on one line. */
export const plainLine = (text: string): string => plainText(text).replace(/\s+/g, ' ').trim();

/** At most so many characters, with a mark where something is gone. */
export const cutText = (text: string, most: number): string => {
  const letters = [...text];
  return letters.length <= most ? text : `${letters.slice(0, most - 1).join('')}…`;
};

/** A link that a person may follow, without the name and password in it; undefined for any other kind of address. */
export function safeLink(link: string | undefined): string | undefined {
  if (!link || !URL.canParse(link)) return undefined;
  const url = new URL(link);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined;
  url.username = '';
  url.password = '';
  return redact(url.href);
}
