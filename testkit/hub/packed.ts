import { gzipSync } from 'node:zlib';

const BLOCK = 512;

/** An archive as npm packs it, for tests. */
export function packed(files: Readonly<Record<string, string | Buffer>>): Buffer {
  const blocks = Object.entries(files).flatMap(([path, given]) => {
    const content = Buffer.from(given);
    const header = Buffer.alloc(BLOCK);
    header.write(`package/${path}`, 0, 100);
    header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
    header.write('0', 156);
    header.write('ustar\x0000', 257);
    return [header, content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]));
}
