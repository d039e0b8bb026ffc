import { tell, type Text } from '#kit/text';
import { hasHidden, showHidden } from '#kit/hidden-characters';

/** For showing: characters that hide or reorder text stand escaped, carriage returns too. */
export const escapeHidden = (text: string): string => showHidden(text).replaceAll('\r', '⟪U+000D⟫');

/** Why a text may look different from what it does. Undefined: it looks like what it is. */
export function displayTrick(text: string): Text | undefined {
  if (text.includes('\r'))
    return tell(
      'A carriage return in it can overwrite what a terminal shows.',
      '其中的回车符可覆盖终端显示的内容。',
    );
  // oxlint-disable-next-line no-control-regex
  if (/[\u001b\u0008\u009b]/.test(text))
    return tell(
      'Terminal control characters in it can hide what it does.',
      '其中的终端控制字符可掩盖它的作为。',
    );
  if (/[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]/.test(text)) {
    return tell(
      'Characters that change the direction of writing can make it look like something else.',
      '改变书写方向的字符可使它看起来像别的东西。',
    );
  }
  return hasHidden(text)
    ? tell('It contains characters that cannot be seen.', '其中含有看不见的字符。')
    : undefined;
}
