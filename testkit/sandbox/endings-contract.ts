import { expect, it } from 'vitest';
import type { RunningCommand, Sandbox } from '#spec/ports';
import { run } from './run.ts';
import type { Stage } from './sandbox-contract.ts';

const SPEC = { timeoutMs: 60_000, maxOutputBytes: 100_000 };

/** Descendants that left the group, the session and their parent, each of which lets a file grow. */
const stubborn = (file: string): string =>
  [
    `beat() { trap '' HUP TERM INT; while :; do echo x >> ${file}; sleep 0.02; done; }`,
    'export -f beat 2>/dev/null || true',
    'beat > /dev/null 2>&1 &',
    `setsid bash -c beat > /dev/null 2>&1 < /dev/null &`,
    `(setsid bash -c '(beat > /dev/null 2>&1 < /dev/null &)' &)`,
    `until [ -s ${file} ]; do sleep 0.02; done; echo started`,
  ].join('\n');

async function untilPrinted(running: RunningCommand, word: string): Promise<void> {
  let text = '';
  for await (const chunk of running.output) {
    text += chunk.text;
    if (text.includes(word)) return;
  }
  throw new Error(`ended without '${word}': ${text}`);
}

/** Whether a file that something appends to has stopped growing. */
async function still(sandbox: Sandbox, file: string): Promise<boolean> {
  const { stdout } = await run(sandbox, `stat -c %s ${file}; sleep 0.3; stat -c %s ${file}`);
  const [before, after] = stdout.trim().split('\n');
  return before !== undefined && before === after;
}

/** Time, output, kill, abort, close: nothing of a command stays behind. */
export function describeEndings({ sandbox, open, patience }: Stage): void {
  it('ends a command whose time is over', async () => {
    const end = await run(sandbox(), 'echo begun; sleep 60', { timeoutMs: Math.min(500, patience / 4) });
    expect(end.stopped).toBe('time');
    expect(end.ms).toBeLessThan(patience);
  });

  it('ends a command that prints too much, and keeps no more than was allowed', async () => {
    const end = await run(sandbox(), 'yes 0123456789', { maxOutputBytes: 20_000 });
    expect(end.stopped).toBe('output');
    expect(Buffer.byteLength(end.stdout)).toBeLessThanOrEqual(20_000);
    expect(end.stdout.startsWith('0123456789\n')).toBe(true);
  });

  it('kills everything that a command started', async () => {
    const running = await sandbox().start(
      { ...SPEC, command: `${stubborn('killed.log')}; sleep 60` },
      new AbortController().signal,
    );
    await untilPrinted(running, 'started');
    await running.kill();
    expect(await running.ended).toMatchObject({ stopped: 'killed' });
    expect(await still(sandbox(), 'killed.log')).toBe(true);
    await running.kill();
  });

  it('leaves nothing running when the shell of a command ends by itself', async () => {
    const end = await run(sandbox(), `${stubborn('left.log')}; sleep 60 & exit 5`);
    expect(end).toMatchObject({ code: 5 });
    expect(end.stopped).toBeUndefined();
    expect(end.ms).toBeLessThan(patience);
    expect(await still(sandbox(), 'left.log')).toBe(true);
  });

  it('ends with the signal it was started with', async () => {
    const abort = new AbortController();
    const running = await sandbox().start({ ...SPEC, command: 'echo begun; sleep 60' }, abort.signal);
    await untilPrinted(running, 'begun');
    abort.abort();
    const end = await running.ended;
    expect(end).toMatchObject({ stopped: 'killed' });
    expect(end.ms).toBeLessThan(patience);
  });

  it('does not run what was called off before', async () => {
    const signal = AbortSignal.abort();
    const end = await run(sandbox(), 'echo ran > called-off', {}, signal);
    expect(end).toMatchObject({ stopped: 'killed', stdout: '' });
    expect((await run(sandbox(), 'test -e called-off')).code).toBe(1);
  });

  it('ends what nobody reads', async () => {
    const running = await sandbox().start(
      { ...SPEC, command: 'head -c 50000 /dev/zero | tr "\\0" x' },
      new AbortController().signal,
    );
    expect(await running.ended).toMatchObject({ code: 0 });
  });

  it('kills what still runs when it is closed', async () => {
    const other = await open();
    try {
      const running = await other.sandbox.start(
        { ...SPEC, command: 'echo begun; sleep 60' },
        new AbortController().signal,
      );
      await untilPrinted(running, 'begun');
      await other.sandbox.close();
      expect((await running.ended).stopped).toMatch(/^(killed|lost)$/);
      await expect(run(other.sandbox, 'true')).rejects.toMatchObject({ record: { code: 'tool.failed' } });
    } finally {
      await other.close();
    }
  });
}
