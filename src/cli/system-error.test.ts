import { describe, expect, it } from 'vitest';
import { AppError, fail } from '#kit/app-error';
import { EXIT, exitCodeOf } from './exit-code.ts';
import { shownRecord } from './system-error.ts';
import { texts } from './text/index.ts';

const shown = (thrown: unknown, language: 'en' | 'zh' = 'en') =>
  shownRecord(thrown, { text: texts[language] });
const system = (code: string, more: object) => Object.assign(new Error(`${code}: words`), { code, ...more });

describe('shownRecord', () => {
  it.each([
    [system('ENOENT', { path: '/x' }), 'input.not_found', 'There is no /x.', EXIT.usage],
    [system('EISDIR', { path: '/x' }), 'input.invalid', '/x is a folder, not a file.', EXIT.usage],
    [
      system('EADDRINUSE', { address: '127.0.0.1', port: 80 }),
      'input.conflict',
      'Something else listens on 127.0.0.1:80: choose another port.',
      EXIT.usage,
    ],
    [
      new TypeError('fetch failed', { cause: system('ECONNREFUSED', { address: '127.0.0.1', port: 9 }) }),
      'backend.unreachable',
      'Nothing listens on 127.0.0.1:9.',
      EXIT.failed,
    ],
    [system('EROFS', { path: '/x' }), 'store.read_only', '/x: it can only be read (EROFS)', EXIT.unavailable],
    [fail('tool.refused', 'no'), 'tool.refused', 'no', EXIT.denied],
    [fail('model.unconfigured', 'none'), 'model.unconfigured', 'none', EXIT.needsModel],
    [new TypeError('x is undefined'), 'internal', 'x is undefined', EXIT.failed],
  ])('%s is %s', (thrown, code, message, exit) => {
    expect(shown(thrown)).toMatchObject({ code, message });
    expect(exitCodeOf(shown(thrown).code)).toBe(exit);
  });

  it('speaks Chinese, and leaves what was said on purpose as it is', () => {
    expect(shown(system('ENOENT', { path: '/x' }), 'zh').message).toBe('/x 不存在。');
    const own = new AppError({ code: 'input.invalid', message: 'mine', retry: { again: false } });
    expect(shown(own).message).toBe('mine');
  });
});
