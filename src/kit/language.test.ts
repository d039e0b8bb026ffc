import { describe, expect, it } from 'vitest';
import { languageOf, languageOfLocale } from './language.ts';

describe('languageOf', () => {
  it.each(['状态', 'what does 连接池 mean?', '㐀', 'ok 好'])('takes %s for Chinese', (text) => {
    expect(languageOf(text)).toBe('zh');
  });

  it.each(['status', '', '🙂 ok?', 'café naïve', 'Привет', 'カタカナ'])('takes %j for English', (text) => {
    expect(languageOf(text)).toBe('en');
  });
});

describe('languageOfLocale', () => {
  it.each([
    ['zh_CN.UTF-8', 'zh'],
    ['zh-TW', 'zh'],
    ['ZH', 'zh'],
    ['en_US.UTF-8', 'en'],
    ['de_DE', 'en'],
    ['C', 'en'],
    ['', 'en'],
    [undefined, 'en'],
  ] as const)('%s is %s', (locale, language) => {
    expect(languageOfLocale(locale)).toBe(language);
  });
});
