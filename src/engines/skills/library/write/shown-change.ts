import { showHidden } from '#kit/hidden-characters';

/** So much is shown to whoever decides. What is longer says how much of it they do not see. */
const MOST_SHOWN = 20_000;

/** A write that waits for a person, as they see it: what it is, and all that would be written. */
export function shownChange(head: string, texts: readonly string[]): string {
  const text = texts.map((one) => showHidden(one.trim())).join('\n');
  const seen = text.slice(0, MOST_SHOWN).toWellFormed();
  const unseen = text.length - seen.length;
  const rest = unseen > 0 ? [`[${unseen} more characters are not shown here]`] : [];
  return [head, ...[seen, ...rest].join('\n').split('\n')].filter(Boolean).join('\n    ');
}
