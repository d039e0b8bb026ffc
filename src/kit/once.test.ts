import { describe, expect, it } from 'vitest';
import { once, onceEach } from './once.ts';

describe('once', () => {
  it('makes a value at the first call, also for calls at the same time', async () => {
    let made = 0;
    const open = once(async () => ({ number: ++made }));
    expect(open.kept()).toBeUndefined();
    const [one, other] = await Promise.all([open(), open()]);
    expect(one).toBe(other);
    expect(await open()).toBe(one);
    expect(await open.kept()).toBe(one);
    expect(made).toBe(1);
  });

  it('forgets a failure: everybody who waits hears of it, and the next call tries again', async () => {
    let tries = 0;
    const open = once(async () => {
      if (++tries === 1) throw new Error('the disk is full');
      return tries;
    });
    const both = await Promise.allSettled([open(), open()]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(open.kept()).toBeUndefined();
    expect(await open()).toBe(2);
    expect(await open()).toBe(2);
  });

  it('refuses other arguments than those of what is open, and keeps what is open', async () => {
    const open = once(async (language: string) => language);
    expect(await open('en')).toBe('en');
    await expect(open('zh')).rejects.toMatchObject({
      record: { code: 'internal', message: expect.stringMatching(/\("en"\).*\("zh"\)/) as unknown },
    });
    expect(await open('en')).toBe('en');
  });

  it('takes other arguments after a failure: nothing is open', async () => {
    const open = once(async (path: string) => {
      if (path === 'broken') throw new Error(path);
      return path;
    });
    await expect(open('broken')).rejects.toThrow('broken');
    expect(await open('whole')).toBe('whole');
  });
});

describe('onceEach', () => {
  it('keeps one for each key, and forgets those that failed', async () => {
    const tries: string[] = [];
    const open = onceEach(async (folder: string) => {
      tries.push(folder);
      if (tries.length === 1) throw new Error('not yet');
      return folder;
    });
    await expect(open('/a')).rejects.toThrow('not yet');
    expect(open.kept()).toEqual([]);
    expect(await Promise.all([open('/a'), open('/b'), open('/a')])).toEqual(['/a', '/b', '/a']);
    expect(tries).toEqual(['/a', '/a', '/b']);
    expect(await Promise.all(open.kept())).toEqual(['/a', '/b']);
  });
});
