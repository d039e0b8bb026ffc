import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { SandboxPlace } from '#spec/ports';
import { keptLog } from '#testkit/log';
import { sandboxContract } from '#testkit/sandbox';
import { openTestEngine } from '#testkit/sandbox';
import { sandbox as podman } from './podman.ts';

const engine = openTestEngine();
const ready = typeof engine === 'string' ? undefined : engine;
afterAll(() => ready?.close());

const NOBODY = 65_534;

function place(workspace: string): SandboxPlace {
  return {
    name: 'podman-test',
    workspace,
    hidden: [],
    limits: { memoryMb: 96, processes: 48, cpuSeconds: 2 },
    program: (name) => (name === 'podman' ? ready?.program : undefined),
    key: () => undefined,
    log: keptLog(),
  };
}

sandboxContract(
  'podman',
  async () => {
    const workspace = mkdtempSync(join(tmpdir(), 'hermes-podman-'));
    chownSync(workspace, NOBODY, NOBODY);
    const sandbox = await podman.open(podman.options.parse({ image: ready?.image }), place(workspace));
    return {
      sandbox,
      close: async () => {
        await sandbox.close();
        rmSync(workspace, { recursive: true, force: true });
      },
    };
  },
  {
    slowness: 0.6,
    holds: ['memory', 'processes', 'cpu'],
    skip: typeof engine === 'string' ? engine : undefined,
  },
);
