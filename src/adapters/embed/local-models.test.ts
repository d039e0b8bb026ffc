import { expect, it } from 'vitest';
import { CHINESE, ENGLISH, modelFor } from './local-models.ts';

it.each([
  ['the pool is exhausted', ENGLISH],
  ['连接池耗尽了', CHINESE],
  ['payment-service 的连接池又耗尽了,怎么办?', CHINESE],
  ['please restart 支付 service on host db-1 after the review', ENGLISH],
  ['', ENGLISH],
  ['12345', ENGLISH],
])('%j goes to the model that knows its script', (text, model) => {
  expect(modelFor(text)).toBe(model);
});
