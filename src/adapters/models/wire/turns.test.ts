import { describe, expect, it } from 'vitest';
import type { Message } from '#spec/data';
import { answered, called, found, modelInfo, said } from '#testkit/sample-messages';
import { toTurns } from './turns.ts';

const encode = (message: Message, index: number) =>
  message.content.map((part) => ({ from: index, type: part.type }));

const shape = (messages: Message[]): string[] =>
  toTurns(messages, encode).map(({ role, content }) => `${role}:${content.map(({ from }) => from).join()}`);

const info = modelInfo();
const text = (value: string) => ({ type: 'text', text: value }) as const;

describe('toTurns', () => {
  it('keeps turns that alternate', () => {
    expect(shape([said('a'), answered(info, text('b')), said('c')])).toEqual([
      'user:0',
      'assistant:1',
      'user:2',
    ]);
  });

  it('joins neighbours of one side, with tool results on the user’s', () => {
    const calls = answered(info, called('c1'), called('c2'));
    expect(shape([said('a'), said('b'), calls, found('c1'), found('c2'), said('c')])).toEqual([
      'user:0,1',
      'assistant:2,2',
      'user:3,4,5',
    ]);
  });

  it('leaves no turn for what encodes to nothing, and joins what stood around it', () => {
    expect(shape([said('a'), answered(info), said('b')])).toEqual(['user:0,2']);
    expect(shape([answered(info)])).toEqual([]);
    expect(shape([])).toEqual([]);
  });

  it('does not grow the blocks that the encoder gave', () => {
    const blocks = [{ a: 1 }];
    toTurns([said('a'), said('b')], () => blocks);
    expect(blocks).toEqual([{ a: 1 }]);
  });
});
