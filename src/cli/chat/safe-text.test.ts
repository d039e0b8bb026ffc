import { describe, expect, it } from 'vitest';
import { safeLine, safeText } from './safe-text.ts';

describe('safeText', () => {
  it.each([
    [
      'a hyperlink (OSC 8)',
      '\u001b]8;;http://evil\u0007click\u001b]8;;\u0007',
      '␛]8;;http://evil␇click␛]8;;␇',
    ],
    ['the clipboard (OSC 52)', '\u001b]52;c;aGk=\u001b\\', '␛]52;c;aGk=␛\\'],
    ['the title', '\u001b]0;owned\u0007', '␛]0;owned␇'],
    ['cursor movement', 'a\u001b[2Ab\bc', 'a␛[2Ab␈c'],
    ['a lone return', 'rm -rf\rls', 'rm -rf␍ls'],
    ['C1 controls', '\u009b31m\u0085', '<U+009B>31m<U+0085>'],
    [
      'direction overrides',
      '\u202egnp.exe\u202c\u2066x\u2069\u200f',
      '<U+202E>gnp.exe<U+202C><U+2066>x<U+2069><U+200F>',
    ],
    ['separators', 'a\u2028b\u2029', 'a<U+2028>b<U+2029>'],
    ['delete', '\u007f', '␡'],
  ])('shows %s instead of obeying it', (_, text, shown) => {
    expect(safeText(text)).toBe(shown);
  });

  it('keeps newlines, tabs, Chinese, accents and joined emoji', () => {
    const text = 'a\n\tb 中文 é 👩‍💻 🇩🇪';
    expect(safeText(text)).toBe(text);
    expect(safeText('a\r\nb')).toBe('a\nb');
  });

  it('gives the same however the text was cut', () => {
    const text = 'x\u001b]0;t\u0007y';
    const pieces = [...text].map(safeText).join('');
    expect(pieces).toBe(safeText(text));
  });
});

describe('safeLine', () => {
  it('puts everything in one line', () => {
    expect(safeLine(' a\n  b\tc\u001b[1m ')).toBe('a b c␛[1m');
  });
});
