import { expect, it } from 'vitest';
import { readQuestion } from './read-question.ts';

it.each([
  ['list incidents', { about: 'incidents', which: 'all', last: false }],
  ['show open incidents', { about: 'incidents', which: 'open', last: false }],
  ['最近一次事故是什么', { about: 'incidents', which: 'all', last: true }],
  ['which P2 incidents are still open?', { about: 'incidents', which: 'open', severity: 'P2' }],
  ['what happened last night?', { about: 'span', hours: 16 }],
  ['本周有哪些事故', { about: 'incidents', hours: 168 }],
  ['any incidents of order-service today?', { about: 'incidents', service: 'order-service', hours: 24 }],
  ['any open approvals?', { about: 'approvals' }],
  ['有哪些待审批的请求', { about: 'approvals' }],
  ['what changed recently?', { about: 'changes' }],
  ['最近有什么发布', { about: 'changes' }],
  ['who owns checkout-api and what does it depend on?', { about: 'service', service: 'checkout-api' }],
  ['coupon-service 的依赖有哪些', { about: 'service', service: 'coupon-service' }],
  ['list our rules', { about: 'rules' }],
  ['write the post-mortem of the last outage', { about: 'document', kind: 'post-mortem' }],
  ['hand over to the next shift', { about: 'document', kind: 'digest', hours: 24 }],
  ['本周事故周报', { about: 'document', kind: 'digest', hours: 168 }],
  ['grant all of it', { about: 'approvals', all: true }],
  ['把等待的都批准了', { about: 'approvals', all: true }],
  ['what is waiting for me?', { about: 'approvals', all: false }],
  ['夜里出了什么事', { about: 'span', hours: 16 }],
])('%s', (text, expected) => {
  expect(readQuestion(text)).toMatchObject(expected);
});

it.each([
  'how do I open an incident?',
  '怎么审批?',
  'payment-service is down',
  'remember that incidents go to Lin',
  'hello',
  'can I plan maintenance so that alerts do not open incidents?',
])('is no question about what is stored: %s', (text) => {
  expect(readQuestion(text)).toBeUndefined();
});
