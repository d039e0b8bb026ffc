import { expect, it } from 'vitest';
import { soundsBad } from './sounds-bad.ts';

it.each(['ERROR', 'err', 'E', 'warn', 'W', 'fatal', 'crit', 'SEVERE', 'emerg', 'panic', 'alert'])(
  'believes the level %s',
  (level) => {
    expect(soundsBad('order 7', level)).toBe(true);
  },
);

it.each(['INFO', 'debug', 'TRACE', 'notice', 'verbose', 'I', undefined])(
  'reads the words at the level %s',
  (level) => {
    expect(soundsBad('order stored', level)).toBe(false);
    expect(soundsBad('NullPointerException at order', level)).toBe(true);
    expect(soundsBad('call timed out', level)).toBe(true);
    expect(soundsBad('certificate expired', level)).toBe(true);
    expect(soundsBad('订单已创建', level)).toBe(false);
    expect(soundsBad('调用库存服务失败', level)).toBe(true);
  },
);
