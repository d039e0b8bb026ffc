import { describe, expect, it } from 'vitest';
import { cpuMs } from '#testkit/cpu-time';
import { dropHidden, hasHidden, showHidden } from './hidden-characters.ts';

describe('showHidden', () => {
  it.each([
    ['zero-width space', 'a\u200bb', 'a⟪U+200B⟫b'],
    ['right-to-left override', '\u202etxt.exe', '⟪U+202E⟫txt.exe'],
    ['isolate', 'a\u2066b\u2069', 'a⟪U+2066⟫b⟪U+2069⟫'],
    ['tag characters', 'hi\u{e0041}\u{e0042}', 'hi⟪U+E0041⟫⟪U+E0042⟫'],
    ['variation selectors of the supplement', 'x\u{e0101}', 'x⟪U+E0101⟫'],
    ['soft hyphen', 'pass\u00adword', 'pass⟪U+00AD⟫word'],
    ['joiner between letters', 'a\u200db', 'a⟪U+200D⟫b'],
    ['hangul filler', '\u3164', '⟪U+3164⟫'],
    ['byte order mark inside', 'a\ufeffb', 'a⟪U+FEFF⟫b'],
  ])('writes out a %s', (_, text, shown) => {
    expect(showHidden(text)).toBe(shown);
    expect(hasHidden(text)).toBe(true);
    expect(dropHidden(text)).toBe(shown.replaceAll(/⟪[^⟫]*⟫/g, ''));
  });

  it.each([
    'plain text\n\twith tabs',
    '中文，标点。',
    'emoji 🐟 ❤️ 👍🏽',
    'families 👨‍👩‍👧 and flags 🏳️‍🌈',
    'a programmer 👩🏽‍💻',
    'e\u0301 combined',
  ])('leaves %j alone', (text) => {
    expect(showHidden(text)).toBe(text);
    expect(hasHidden(text)).toBe(false);
    expect(dropHidden(text)).toBe(text);
  });

  it('is quick on a large text', () => {
    const text = '👩🏽‍💻a\u200b'.repeat(100_000);
    const started = cpuMs();
    expect(showHidden(text)).toHaveLength(text.length + 100_000 * 7);
    expect(cpuMs() - started).toBeLessThan(5_000);
  });
});
