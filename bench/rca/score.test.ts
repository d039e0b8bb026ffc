import { describe, expect, it } from 'vitest';
import type { Answer } from './answer.ts';
import { scoreAnswers, wilson } from './score.ts';

const says = (ranked: string[], rollback?: string): Answer => ({ ranked, rollback, confidence: 0.5 });

describe('scoreAnswers', () => {
  it('counts ranks, silence, false blame and wrong rollbacks', () => {
    const truth = new Map([
      ['a', 'x'],
      ['b', 'y'],
      ['c', 'none'],
      ['d', 'none'],
      ['e', 'z'],
    ]);
    const answers = new Map([
      ['a', says(['x', 'q'], 'x')],
      ['b', says(['q', 'y'], 'q')],
      ['c', says([])],
      ['d', says(['q'])],
    ]);
    const { figures, hits } = scoreAnswers(answers, truth);
    expect(hits).toBe(2);
    expect(figures).toMatchObject({
      accuracy: 0.4,
      ac1: 0.333,
      ac3: 0.667,
      mrr: 0.5,
      none_acc: 0.5,
      false_blame: 0.5,
      wrong_rollback: 0.2,
    });
  });

  it('gives the interval that the reference gives', () => {
    expect(wilson(21, 23)).toEqual([0.732, 0.976]);
  });
});
