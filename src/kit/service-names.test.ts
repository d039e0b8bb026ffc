import { describe, expect, it } from 'vitest';
import { chineseServiceIn, plainServicesIn, servicesIn } from './service-names.ts';

describe('servicesIn', () => {
  it('takes known names first, in the order of the text, whole ones only', () => {
    expect(servicesIn('db of web is slow, order-service is fine', ['web', 'db'])).toEqual(['db', 'web']);
    expect(servicesIn('webhook fails', ['web'])).toEqual([]);
  });

  it('knows others by their form', () => {
    expect(servicesIn('payment-service 503, mysql-payment too')).toEqual(['payment-service']);
    expect(servicesIn('mysql-payment is slow')).toEqual(['mysql-payment']);
  });

  it.each(['dry-run only', 'a follow-up', 'high-risk', 'roll-back', 'off-peak', 'post-mortem'])(
    'not %s',
    (text) => {
      expect(servicesIn(text)).toEqual([]);
    },
  );
});

it('is strict where a dash alone must not do', () => {
  expect(plainServicesIn('my-ex called coupon-service')).toEqual(['coupon-service']);
});

it.each([
  ['支付服务挂了', '支付服务'],
  ['为什么订单系统很慢', '订单系统'],
  ['服务很慢', undefined],
  ['检查服务状态', undefined],
])('reads a Chinese name: %s', (text, name) => {
  expect(chineseServiceIn(text)).toBe(name);
});
