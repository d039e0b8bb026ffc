/** Recalled memory travels to the model inside this tag and is shown to nobody. */
export const MEMORY_TAG = 'memory-context';

const MARK = /<\/?memory-context>/gi;
const OPEN = `<${MEMORY_TAG}>`;

/** What is remembered, as a part of a message. Nothing in it can end the fence. */
export const fence = (text: string): { type: 'text'; text: string } => ({
  type: 'text',
  text: `${OPEN}\n${text.replace(MARK, '')}\n</${MEMORY_TAG}>`,
});

/** What a part of a message brings along from memory; undefined for every other part. */
export const fencedText = (text: string): string | undefined =>
  text.startsWith(OPEN) ? text.replace(MARK, '').trim() : undefined;

/** A message as it was meant for people. */
export const withoutFence = <Part extends { readonly type: string }>(content: readonly Part[]): Part[] =>
  content.filter((part) => !('text' in part && typeof part.text === 'string' && part.text.startsWith(OPEN)));
