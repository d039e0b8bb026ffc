import { expect, it } from 'vitest';
import { run } from './run.ts';
import type { Stage } from './sandbox-contract.ts';

/** Limits of one command. How it ends may differ; that it ends, and that the next one runs, may not. */
export function describeLimits({ sandbox, patience, traits }: Stage): void {
  const holds = new Set(traits.holds);

  it.runIf(holds.has('memory'))('ends a command that takes more memory than it may', async () => {
    const end = await run(
      sandbox(),
      `awk 'BEGIN { s = "x"; while (1) s = s s }'; code=$?; echo survived; exit $code`,
      {
        timeoutMs: patience,
      },
    );
    expect(end.code === 0).toBe(false);
    expect(end.stopped).not.toBe('time');
    expect(await run(sandbox(), 'echo fine')).toMatchObject({ stdout: 'fine\n' });
  });

  it.runIf(holds.has('processes'))('holds the number of processes', async () => {
    // Where a watcher counts, it may come a moment late on a busy machine: it gets that moment.
    const wait =
      'n=0; while [ "$(jobs -pr | wc -l)" -gt 48 ] && [ $n -lt 30 ]; do n=$((n+1)); sleep 0.1; done';
    const bomb = `for i in $(seq 1 300); do sleep 30 & done 2>/dev/null; ${wait}; jobs -pr | wc -l; exit 9`;
    const end = await run(sandbox(), bomb, { timeoutMs: patience });
    expect(Number(end.stdout.trim() || 0)).toBeLessThanOrEqual(48);
    expect(await run(sandbox(), 'echo fine')).toMatchObject({ stdout: 'fine\n' });
  });

  it.runIf(holds.has('cpu'))('ends a command that computes for too long', async () => {
    const end = await run(sandbox(), 'while :; do :; done', { timeoutMs: patience * 3 });
    expect(end.code === 0).toBe(false);
    expect(end.ms).toBeLessThan(patience * 3);
  });
}
