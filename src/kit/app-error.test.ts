import { describe, expect, it } from 'vitest';
import { ErrorRecord } from '#spec/data';
import { AppError, fail, toErrorRecord } from './app-error.ts';

describe('fail', () => {
  it('makes an error that trying again cannot mend, with a hint and its cause', () => {
    const cause = new Error('ENOENT');
    const error = fail('config.unreadable', 'cannot read it', 'Check the path.', cause);
    expect(error).toBeInstanceOf(AppError);
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({ name: 'AppError', message: 'cannot read it', cause });
    expect(error.record).toEqual({
      code: 'config.unreadable',
      message: 'cannot read it',
      hint: 'Check the path.',
      retry: { again: false },
    });
    expect(error.stack).toContain('app-error.test');
  });

  it('has no hint where none was given', () => {
    expect(fail('internal', 'oops').record).not.toHaveProperty('hint');
  });

  it('carries a record that stores and wires accept', () => {
    const { record } = fail('model.auth', 'no key', 'Set one.');
    expect(ErrorRecord.parse(JSON.parse(JSON.stringify(record)))).toEqual(record);
  });
});

describe('toErrorRecord', () => {
  it('gives back the record of an error that was thrown on purpose', () => {
    const { record } = new AppError({
      code: 'model.cut',
      message: 'cut',
      retry: { again: true, afterMs: 5 },
    });
    expect(toErrorRecord(new AppError(record))).toBe(record);
  });

  it.each([
    [new TypeError('x is not a function'), 'x is not a function'],
    ['a string', 'a string'],
    [undefined, 'undefined'],
    [['a', 'list'], 'a,list'],
  ])('takes anything else for a defect of ours', (thrown, message) => {
    expect(toErrorRecord(thrown)).toEqual({ code: 'internal', message, retry: { again: false } });
  });
});
