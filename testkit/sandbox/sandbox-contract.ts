import { afterAll, beforeAll, describe } from 'vitest';
import type { Sandbox } from '#spec/ports';
import { describeCommands } from './commands-contract.ts';
import { describeEndings } from './endings-contract.ts';
import { describeFileTransfer } from './file-transfer-contract.ts';
import { describeLimits } from './limits-contract.ts';

export interface SandboxUnderTest {
  /** Opened on a workspace that is empty, with the limits of `SandboxTraits`. */
  readonly sandbox: Sandbox;
  /** Closes the sandbox and removes what the test made for it. */
  close(): Promise<void>;
}

interface SandboxTraits {
  /** Seconds that a command may need to start and to end. 1 where it is a process of this machine. */
  readonly slowness?: number;
  /**
   * Which of `limits: { memoryMb: 96, processes: 48, cpuSeconds: 1 }` the sandbox was opened with and holds. What is
   * not named is not tested.
   */
  readonly holds?: readonly ('memory' | 'processes' | 'cpu')[];
  /** Why it cannot run here; its tests are skipped under this reason. */
  readonly skip?: string | undefined;
}

export interface Stage {
  readonly sandbox: () => Sandbox;
  readonly open: () => Promise<SandboxUnderTest>;
  /** Milliseconds that an ordinary command may take at most. */
  readonly patience: number;
  readonly traits: SandboxTraits;
}

/** What every kind of sandbox must do. One sandbox serves all tests but those about its closing. */
export function sandboxContract(
  name: string,
  open: () => Promise<SandboxUnderTest>,
  traits: SandboxTraits = {},
): void {
  let opened: SandboxUnderTest;
  const patience = 5_000 * (traits.slowness ?? 1);
  const stage: Stage = { sandbox: () => opened.sandbox, open, patience, traits };
  const why = traits.skip === undefined ? '' : ` (skipped: ${traits.skip})`;
  describe.skipIf(traits.skip !== undefined)(
    `${name}: the contract of Sandbox${why}`,
    { timeout: patience * 4 },
    () => {
      beforeAll(async () => {
        opened = await open();
      }, patience * 4);
      afterAll(() => opened?.close(), patience * 4);
      describeCommands(stage);
      describeEndings(stage);
      describeFileTransfer(stage);
      describeLimits(stage);
    },
  );
}
