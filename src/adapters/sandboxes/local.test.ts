import { afterAll, describe, expect, it } from 'vitest';
import { run, sandboxContract, temporaryPlace } from '#testkit/sandbox';
import { sandbox as kind } from './local.ts';

/** Closing twice does no harm; a test that failed has not closed anything. */
const left = new Set<() => Promise<void>>();

async function open(options: unknown = {}) {
  const { place, close } = await temporaryPlace();
  const sandbox = await kind.open(kind.options.parse(options), place);
  const closeBoth = async () => {
    await sandbox.close();
    await close();
  };
  left.add(closeBoth);
  return { sandbox, close: closeBoth };
}

afterAll(async () => {
  for (const close of left) await close();
});

sandboxContract('local', () => open(), { holds: ['memory', 'processes', 'cpu'] });

describe('local', () => {
  it('says that nothing stands between a command and this machine', async () => {
    const { sandbox, close } = await open();
    expect(sandbox.isolation).toBe('none');
    await close();
  });

  it('passes on a listed variable, but never one that looks like a key', async () => {
    process.env.HERMES_TEST_COLOUR = 'blue';
    process.env.HERMES_TEST_API_KEY = 'must-not-be-seen';
    const { sandbox, close } = await open({ env: ['HERMES_TEST_COLOUR', 'HERMES_TEST_API_KEY'] });
    const { stdout } = await run(sandbox, 'env');
    expect(stdout).toContain('HERMES_TEST_COLOUR=blue');
    expect(stdout).not.toContain('must-not-be-seen');
    delete process.env.HERMES_TEST_COLOUR;
    delete process.env.HERMES_TEST_API_KEY;
    await close();
  });

  it('refuses an option that it does not know', () => {
    expect(kind.options.safeParse({ workdir: '/x' }).success).toBe(false);
  });
});
