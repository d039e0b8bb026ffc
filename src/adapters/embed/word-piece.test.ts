import { describe, expect, it } from 'vitest';
import { wordPiece } from './word-piece.ts';

const PIECES = [
  '[PAD]',
  '[UNK]',
  '[CLS]',
  '[SEP]',
  'pay',
  '##ment',
  '##s',
  'cafe',
  'Cafe',
  '.',
  '-',
  '支',
  '付',
  'un',
  '##able',
];
const vocabulary = Object.fromEntries(PIECES.map((piece, at) => [piece, at]));
const cut = (text: string, lowercase = true, most = 100) =>
  wordPiece({ vocabulary, lowercase })(text, most).map((number) => PIECES[number]);

describe('wordPiece', () => {
  it.each([
    ['Payments.', ['pay', '##ment', '##s', '.']],
    ['pay-unable', ['pay', '-', 'un', '##able']],
    ['Café', ['cafe']],
    ['支付pay', ['支', '付', 'pay']],
    ['pay\t\n\u0000\u200bment', ['pay', '[UNK]']],
    ['payx', ['[UNK]']],
    [`pay${'s'.repeat(100)}`, ['[UNK]']],
    ['', []],
    ['🙂', ['[UNK]']],
  ])('cuts %j', (text, pieces) => {
    expect(cut(text)).toEqual(['[CLS]', ...pieces, '[SEP]']);
  });

  it('keeps case and accents for a model that knows them', () => {
    expect(cut('Cafe pay', false)).toEqual(['[CLS]', 'Cafe', 'pay', '[SEP]']);
    expect(cut('Café', false)).toEqual(['[CLS]', '[UNK]', '[SEP]']);
  });

  it('never gives more than asked for, and always both marks', () => {
    expect(cut('payments payments payments', true, 4)).toEqual(['[CLS]', 'pay', '##ment', '[SEP]']);
  });

  it('needs a vocabulary with the marks', () => {
    expect(() => wordPiece({ vocabulary: { a: 0 }, lowercase: true })).toThrow('[CLS]');
  });
});
