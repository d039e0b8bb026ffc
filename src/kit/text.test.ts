import { describe, expect, it } from 'vitest';
import { Text } from '#spec/data';
import { asText, catalogue, joinTexts, say, spoken, tell, uniqueTexts } from './text.ts';

const words = catalogue({
  en: {
    done: 'done',
    because: (what: string, why: string, count: number) => `${count} ${what} because ${why}`,
    kinds: { log: 'log', line: (at: number) => `line ${at}` },
  },
  zh: {
    done: '完成',
    because: (what, why, count) => `因为${why},${count} 个${what}`,
    kinds: { log: '日志', line: (at) => `第 ${at} 行` },
  },
});

describe('a text', () => {
  it('is chosen where it is shown; a string is the same in every language', () => {
    expect([say(tell('yes', '是'), 'zh'), say('web', 'zh')]).toEqual(['是', 'web']);
    expect(asText('web')).toEqual({ en: 'web', zh: 'web' });
  });

  it('is put together in each language by itself', () => {
    const parts = [tell('one', '一'), 'web', tell('one', '一')];
    expect(joinTexts(parts, tell('; ', ';'))).toEqual({ en: 'one; web; one', zh: '一;web;一' });
    expect(uniqueTexts([tell('one', '一'), tell('one', '一'), tell('one', '壹')])).toHaveLength(2);
  });

  it('comes from a catalogue, with gaps that may be texts themselves', () => {
    expect(words.done).toEqual({ en: 'done', zh: '完成' });
    expect(words.because('web', words.kinds.log, 2)).toEqual({
      en: '2 web because log',
      zh: '因为日志,2 个web',
    });
    expect(words.kinds.line(3)).toEqual({ en: 'line 3', zh: '第 3 行' });
  });

  it('is read as older versions wrote it', () => {
    expect(Text.parse('plain')).toEqual({ en: 'plain', zh: 'plain' });
    expect(Text.parse({ en: 'only English' })).toEqual({ en: 'only English', zh: 'only English' });
    expect(Text.safeParse(undefined).success).toBe(false);
  });
});

it('says a whole record in one language, and leaves alone what is no text', () => {
  const record = {
    id: 'x',
    note: tell('a', '甲'),
    list: [{ why: tell('b', '乙') }],
    labels: { en: 'no', fr: 'text' },
  };
  expect(spoken(record, 'zh')).toEqual({
    id: 'x',
    note: '甲',
    list: [{ why: '乙' }],
    labels: { en: 'no', fr: 'text' },
  });
});
