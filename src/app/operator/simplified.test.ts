import { describe, expect, it } from 'vitest';
import { simplified } from './simplified.ts';

describe('simplified', () => {
  it.each([
    ['昨晚誰登入過這台機器', '昨晚谁登录过这台机器'],
    ['幫我看一下硬碟還剩多少空間', '帮我看一下硬盘还剩多少空间'],
    ['記憶體快滿了,payment-service 503', '内存快满了,payment-service 503'],
  ])('reads %s', async (said, read) => {
    expect(await simplified(said)).toBe(read);
  });

  it.each(['昨晚谁登录过这台机器', 'who logged in last night?', '登入页面打不开'])(
    'leaves %s as it is',
    async (said) => {
      expect(await simplified(said)).toBe(said);
    },
  );
});
