import type { FileHandle } from 'node:fs/promises';

const CHUNK = 1024 * 1024;

/** Up to `most` bytes from `start`. It reads until nothing comes: the files of `/proc` say that they are empty. */
export async function readBytes(handle: FileHandle, start: number, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for (let read = 0; read < most; ) {
    const chunk = new Uint8Array(Math.min(CHUNK, most - read));
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, start + read);
    if (bytesRead === 0) break;
    chunks.push(chunk.subarray(0, bytesRead));
    read += bytesRead;
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}
