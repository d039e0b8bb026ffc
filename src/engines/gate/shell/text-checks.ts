import { hasHidden, showHidden } from '#kit/hidden-characters';

/** For showing: characters that hide or reorder text stand escaped, carriage returns too. */
export const escapeHidden = (text: string): string => showHidden(text).replaceAll('\r', '⟪U+000D⟫');

/** Why a text may look different from what it does. Undefined: it looks like what it is. */
export function displayTrick(text: string): string | undefined {
  if (text.includes('\r')) return 'A carriage return in it can overwrite what a terminal shows.';
  // oxlint-disable-next-line no-control-regex
  if (/[\u001b\u0008\u009b]/.test(text)) return 'Terminal control characters in it can hide what it does.';
  if (/[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]/.test(text)) {
    return 'Characters that change the direction of writing can make it look like something else.';
  }
  return hasHidden(text) ? 'It contains characters that cannot be seen.' : undefined;
}
