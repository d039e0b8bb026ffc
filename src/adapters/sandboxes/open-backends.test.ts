import { describe, expect, it } from 'vitest';
import { findProgram, run, temporaryPlace } from '#testkit/sandbox';
import { openBackends } from './open-backends.ts';
import { parseBackends } from './parse-backends.ts';

const hasBubblewrap = findProgram('bwrap') !== undefined;
const without = (name: string) => (asked: string) => (asked === name ? undefined : findProgram(asked));

describe('openBackends', () => {
  it.skipIf(!hasBubblewrap)('takes bubblewrap where it works (skipped where bwrap is missing)', async () => {
    const { place, close } = await temporaryPlace();
    const backends = openBackends({ entries: [] }, place);
    expect(await backends.choice()).toEqual({ name: 'bubblewrap', type: 'bubblewrap' });
    const sandbox = await backends.sandbox();
    expect(sandbox.isolation).toBe('process');
    expect(await backends.sandbox('bubblewrap')).toBe(sandbox);
    await backends.close();
    await expect(run(sandbox, 'true')).rejects.toMatchObject({ record: { code: 'tool.failed' } });
    await expect(backends.sandbox()).rejects.toMatchObject({ record: { code: 'tool.failed' } });
    await close();
  });

  it('runs nothing without a sandbox until the configuration says so, and tells how', async () => {
    const { place, close } = await temporaryPlace({ program: without('bwrap') });
    for (const config of [{ entries: [] }, { entries: [], withoutSandbox: false }]) {
      const backends = openBackends(config, place);
      expect(await backends.choice()).toMatchObject({ name: 'bubblewrap', missing: {} });
      for (const work of [() => backends.sandbox(), () => backends.entry(), () => backends.sandbox('local')])
        await expect(work()).rejects.toMatchObject({ record: { code: 'tool.refused' } });
      await expect(backends.sandbox()).rejects.toMatchObject({
        record: {
          message: expect.stringContaining('No command runs here'),
          hint: expect.stringContaining('hermes config set gate.without_sandbox true'),
        },
      });
      await backends.close();
    }
    await close();
  });

  it('falls back to plain processes where that is allowed, and says why', async () => {
    const { place, close } = await temporaryPlace({ program: without('bwrap') });
    const backends = openBackends({ entries: [], withoutSandbox: true }, place);
    expect(await backends.choice()).toMatchObject({
      name: 'local',
      missing: {
        what: { en: expect.stringContaining('bubblewrap') },
        fix: { en: expect.stringContaining('Install') },
      },
    });
    expect((await backends.sandbox()).isolation).toBe('none');
    expect(await backends.list()).toMatchObject([{ name: 'bubblewrap', missing: {} }, { name: 'local' }]);
    await backends.close();
    await close();
  });

  it('never falls back from a backend that was asked for', async () => {
    const { place, close } = await temporaryPlace({ program: without('bwrap') });
    const config = await parseBackends({ default: 'bubblewrap' });
    const backends = openBackends(config, place);
    await expect(backends.sandbox()).rejects.toMatchObject({ record: { code: 'tool.failed' } });
    await expect(backends.sandbox('bubblewrp')).rejects.toMatchObject({
      record: { code: 'input.invalid', hint: `Did you mean 'bubblewrap'?` },
    });
    await backends.close();
    await close();
  });

  it.skipIf(!hasBubblewrap)(
    'opens no built-in one that was not set up (skipped where bwrap is missing)',
    async () => {
      const { place, close } = await temporaryPlace();
      const usual = openBackends({ entries: [] }, place);
      const refused = { record: { code: 'tool.refused', message: expect.stringContaining('backends.yaml') } };
      await expect(usual.sandbox('local')).rejects.toMatchObject(refused);
      await expect(usual.entry('local')).rejects.toMatchObject(refused);
      const listed = openBackends(
        await parseBackends({ backends: [{ name: 'local', type: 'local' }] }),
        place,
      );
      expect((await listed.sandbox('local')).isolation).toBe('none');
      const chosen = openBackends(await parseBackends({ default: 'local' }), place);
      expect((await chosen.sandbox('local')).isolation).toBe('none');
      await expect(chosen.sandbox('bubblewrap')).rejects.toMatchObject(refused);
      for (const one of [usual, listed, chosen]) await one.close();
      await close();
    },
  );

  it('keeps what is configured for a backend', async () => {
    const { place, close } = await temporaryPlace();
    const config = await parseBackends({
      default: 'plain',
      backends: [{ name: 'plain', type: 'local', timeout: 5, denied_commands: ['sudo'] }],
    });
    const backends = openBackends(config, place);
    expect(await backends.entry()).toMatchObject({
      name: 'plain',
      timeoutMs: 5_000,
      deniedCommands: ['sudo'],
    });
    expect(await run(await backends.sandbox(), 'echo hi')).toMatchObject({ stdout: 'hi\n' });
    await backends.close();
    await close();
  });
});
