import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { holderIsGone, newHolder } from './holder.ts';

const otherPid = (pid: number | string): string => newHolder().replace(` ${process.pid} `, ` ${pid} `);

describe('holderIsGone', () => {
  it('is false for this process, and each open engine has a name of its own', () => {
    expect(holderIsGone(newHolder())).toBe(false);
    expect(newHolder()).not.toBe(newHolder());
  });

  it('is true for a process that has ended', async () => {
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'close');
    expect(holderIsGone(otherPid(child.pid ?? 0))).toBe(true);
  });

  it.skipIf(process.platform !== 'linux')(
    'is true when the number was given to another process (Linux only)',
    () => {
      expect(holderIsGone(otherPid(process.ppid))).toBe(true);
    },
  );

  it('cannot tell for another machine, or another container', () => {
    const [id, , , start] = newHolder().split(' ');
    expect(holderIsGone([id, 'elsewhere', 999_999_999, start].join(' '))).toBe(false);
  });
});
