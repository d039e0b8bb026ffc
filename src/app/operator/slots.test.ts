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
    ['show incident INC-20261116-001', { incident: 'INC-20261116-001' }],
  ])('fills the slots of %s', (text, expected) => expect(slots(text)).toMatchObject(expected));
});
