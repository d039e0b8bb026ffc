import { describe, expect, it } from 'vitest';
import { slotsIn, withoutNames } from './slots.ts';

const plain = (text: string) => withoutNames(text).replaceAll(/\s+/g, ' ').trim();
const rare = new Set(['nginx', 'sshd']);
const slots = (text: string) => slotsIn(text, (word) => (rare.has(word) ? 2 : 1));

describe('what a message names', () => {
  it.each([
    ['payment-service 503 since 10:05, P1', 'xservice 503 since xnumber , xgrade'],
    ['支付服务很慢', 'xservice 很慢'],
    ['check https://shop.example/health now', 'check xurl now'],
    ['who approved INC-7?', 'who approved xincident ?'],
    ['/var/log is full', 'xpath is full'],
    ['errors in app.log', 'errors in xpath'],
    ['is db.example.com:5432 up', 'is xhost up'],
    ['exit code 6', 'exit code 6'],
    ['where is config.yaml', 'where is config.yaml'],
  ])('%s', (text, expected) => expect(plain(text)).toBe(expected));

  it('is masked where the home knows it, whatever its form', () => {
    expect(withoutNames('ledger is slow', ['ledger']).trim()).toBe('xservice  is slow');
  });

  it.each([
    ['is nginx running?', { unit: 'nginx' }],
    ['sshd 起着没有', { unit: 'sshd' }],
    ['who holds port 8080', { port: 8080 }],
    ['5432 端口被谁占了', { port: 5432 }],
    ['cert of internal.example.org:8443', { host: 'internal.example.org', port: 8443 }],
    ['last 20 lines of /var/log/syslog', { count: 20, path: '/var/log/syslog' }],
    ['process 4242', { pid: 4242 }],
    ['the three biggest files over 1.5 GB', { count: 3, megabytes: 1536 }],
    ['找出超过1G的大文件', { megabytes: 1024 }],
    ['大于 50M 的前五个文件', { megabytes: 50, count: 5 }],
    ['内存占用前三的进程', { count: 3 }],
    ['top five memory hogs', { count: 5 }],
    ['how full is the root partition', { path: '/' }],
    ['根分区还剩多少', { path: '/' }],
    ['how many java processes are there', { program: 'java' }],
    ['有几个 nginx 进程', { program: 'nginx' }],
    ['95% memory on node-7', { elsewhere: 'node-7' }],
    ['show incident INC-20261116-001', { incident: 'INC-20261116-001' }],
  ])('fills the slots of %s', (text, expected) => expect(slots(text)).toMatchObject(expected));

  it.each([
    ['which process uses most memory', 'program'],
    ['any zombie processes?', 'program'],
    ['last 24 hours over ipv4', 'elsewhere'],
    ['payment-service-2 is slow', 'elsewhere'],
    ['top 90% of them', 'count'],
    ['since 5m', 'count'],
  ])('%s names no %s', (text, slot) => expect(slots(text)).not.toHaveProperty(slot));
});
