import { expect, it } from 'vitest';
import { forgetWish } from './forget-plan.ts';

it.each([
  ['forget what I said about the old cluster', 'the old cluster'],
  ['please delete all notes about jump-7', 'jump-7'],
  ['wipe your memory of project falcon.', 'project falcon'],
  ['忘记关于机房搬迁的事', '机房搬迁'],
  ['请把跟李四有关的记忆删掉', '跟李四有关'],
  ['删除关于 vpn 的笔记', 'vpn'],
])('%s', (said, what) => {
  expect(forgetWish(said)).toBe(what);
});

it.each([
  'delete the pod web-1',
  'remove the old rule',
  "don't forget the bastion",
  '删除旧日志',
  'clear the cache of shop-api',
  '',
])('hears no wish in %j', (said) => {
  expect(forgetWish(said)).toBeUndefined();
});
