import { describe, expect, it } from 'vitest';
import { AppError, toErrorRecord } from './app-error.ts';
import { UncertainEffect, uncertain } from './uncertain-effect.ts';

describe('uncertain', () => {
  it('is no AppError, and becomes a record that is not to be tried again', () => {
    const thrown = uncertain('The answer was lost.', new Error('socket hang up'));
    expect(thrown).toBeInstanceOf(UncertainEffect);
    expect(thrown).not.toBeInstanceOf(AppError);
    expect(toErrorRecord(thrown)).toEqual({
      code: 'internal',
      message: 'The answer was lost.',
      retry: { again: false },
    });
    expect((thrown.cause as Error).message).toBe('socket hang up');
  });
});
