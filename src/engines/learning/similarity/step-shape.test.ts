import { describe, expect, it } from 'vitest';
import { alignment, pathShapes, sameCall, templateShape } from './step-shape.ts';

/** The shape of the only call of a task. */
function shape(tool: string, input: unknown, task = '') {
  const [call] = pathShapes({ task, path: [{ tool, input, ok: true, ms: 0, summary: '' }] });
  if (!call) throw new Error('a call has a shape');
  return call.shape;
}

describe('sameCall', () => {
  it('does not see what the tasks name', () => {
    const a = shape('restart', { service: 'cart-svc', mode: 'hard' }, 'restart cart-svc');
    const b = shape('restart', { service: 'mail-worker', mode: 'hard' }, '重启mail-worker服务');
    expect(sameCall(a, b)).toBe(1);
  });

  it('tells choices apart', () => {
    const a = shape('restart', { service: 'cart-svc', mode: 'hard' }, 'restart cart-svc');
    const b = shape('restart', { service: 'cart-svc', mode: 'rolling' }, 'restart cart-svc');
    expect(sameCall(a, b)).toBe(0);
    expect(sameCall(a, shape('stop', { service: 'cart-svc', mode: 'hard' }, 'restart cart-svc'))).toBe(0);
  });

  it('looks into commands', () => {
    const a = shape(
      'terminal',
      { command: 'kubectl -n shop rollout restart deploy/cart-svc' },
      'restart cart-svc',
    );
    const b = shape(
      'terminal',
      { command: 'kubectl -n shop rollout restart deploy/pay-api' },
      'restart pay-api',
    );
    const c = shape('terminal', { command: 'docker ps -a' }, 'restart pay-api');
    expect(sameCall(a, b)).toBe(1);
    expect(sameCall(a, c)).toBe(0);
  });

  it('lets the slots of a procedure be anything', () => {
    const template = templateShape({
      tool: 'terminal',
      input: { command: 'systemctl restart <unit> --now' },
    });
    expect(sameCall(template, shape('terminal', { command: 'systemctl restart nginx --now' }))).toBe(1);
    expect(sameCall(template, shape('terminal', { command: 'rm -rf /tmp/x' }))).toBe(0);
  });
});

describe('alignment', () => {
  it('finds the pairs in order that are worth most', () => {
    const pairs = alignment([...'abcd'], [...'xacbd'], (a, b) => (a === b ? 1 : 0));
    expect(pairs.map(({ left, right }) => [left, right])).toHaveLength(3);
    expect(pairs[0]).toMatchObject({ left: 0, right: 1 });
    expect(pairs.at(-1)).toMatchObject({ left: 3, right: 4 });
  });
});
