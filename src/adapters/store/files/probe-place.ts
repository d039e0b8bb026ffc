import { open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { toErrorRecord } from '#kit/app-error';
import { failureOf, isStoreFailure } from '#kit/store-failure';
import type { ErrorRecord } from '#spec/data';

/** With less than this, the next commit may not fit. */
const LEAST_BYTES = 1024 * 1024;
const LEAST_FILES = 16;
const PIECE = Buffer.alloc(4096);

/**
 * What keeps files in a folder from being made and written, if anything does. It looks at the free space and then tries:
 * quotas, permissions and disks that can only be read do not show otherwise.
 */
export async function probePlace(folder: string): Promise<ErrorRecord | undefined> {
  const path = join(folder, '.hermes-probe');
  try {
    // Some file systems count neither blocks nor files.
    const { blocks, bavail, bsize, files, ffree } = await statfs(folder);
    if (blocks > 0 && bavail * bsize < LEAST_BYTES) return full(folder, `${bavail * bsize} bytes free`);
    if (files > 0 && ffree < LEAST_FILES) return full(folder, `${ffree} inodes free`);
    const file = await open(path, 'w', 0o600);
    try {
      await file.write(PIECE);
      await file.sync();
    } finally {
      await file.close();
    }
    await rm(path, { force: true });
    return undefined;
  } catch (thrown) {
    const record = toErrorRecord(thrown);
    return isStoreFailure(record.code) ? record : { ...record, code: 'store.failing' };
  }
}

function full(folder: string, left: string): ErrorRecord | undefined {
  const record = failureOf('ENOSPC', folder);
  return record && { ...record, message: `${record.message}: ${left}` };
}
