import { describe, expect, it } from 'vitest';
import { nameCategory } from './name-category.ts';

const told = (text: string): string => nameCategory([text], 'none');

describe('nameCategory', () => {
  it.each(['rate limit', 'rate_limit', 'RateLimited', 'ratelimit', 'rate-limiter'])(
    'reads %s as its own name, however it is written',
    (text) => {
      expect(told(`order ${text} hit`)).toBe('rate_limit');
    },
  );

  it.each([
    ['获取连接超时:连接池已耗尽', 'connection_pool'],
    ['TLS握手失败,证书无效', 'certificate'],
    ['磁盘空间不足', 'disk'],
    ['内存不足,进程被杀死', 'resource_exhaustion'],
    ['请求被限流', 'rate_limit'],
    ['调用库存服务超时', 'dependency_timeout'],
    ['订单已创建', 'none'],
  ])('is told by %s', (text, category) => {
    expect(told(text)).toBe(category);
  });

  it('takes what brings the other about', () => {
    expect(told('deadline exceeded: connection pool exhausted')).toBe('connection_pool');
    expect(told('pool timed out, out of memory')).toBe('resource_exhaustion');
  });

  it.each(['chatroom is cheap', 'clock blocked', 'error rate above its limit', 'invalid memory address'])(
    'is told nothing by %s',
    (text) => {
      expect(told(text)).toBe('none');
    },
  );
});
