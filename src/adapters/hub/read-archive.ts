import { gunzipSync } from 'node:zlib';
import type { FetchedTree } from '#spec/ports';
import { MOST_RATIO, MOST_UNPACKED, RATIO_FROM } from './limits.ts';
import { readTar } from './read-tar.ts';
import { readZip } from './read-zip.ts';
import { refuse } from './refuse.ts';

/** The files of a `.tar.gz` or `.zip`, by what it is, not by its name. */
export function readArchive(bytes: Uint8Array): Pick<FetchedTree, 'files' | 'odd'> {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return readTar(gunzip(bytes));
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return readZip(bytes);
  throw refuse('It is neither a .tar.gz nor a .zip archive.');
}

function gunzip(bytes: Uint8Array): Uint8Array {
  const most = Math.min(MOST_UNPACKED, Math.max(RATIO_FROM, bytes.length * MOST_RATIO));
  try {
    return gunzipSync(bytes, { maxOutputLength: most });
  } catch (cause) {
    const bomb = (cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    throw refuse(
      bomb ? 'The archive unpacks to far more than it should: a bomb.' : 'The archive is damaged.',
      cause,
    );
  }
}
