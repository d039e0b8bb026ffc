/** An entry of a tar archive, also of kinds that no honest skill has. */
export interface TarEntry {
  readonly name: string;
  readonly text?: string | Uint8Array;
  /** `0` file, `1` hard link, `2` link, `3` and `4` devices, `5` folder, `6` pipe. */
  readonly type?: string;
  readonly link?: string;
  /** In place of the true size, as it would be written. */
  readonly size?: string;
}

/** The bytes of a tar archive. Written by hand, so that it can say what other programs refuse to say. */
export function tarOf(entries: readonly TarEntry[]): Uint8Array {
  const blocks = entries.flatMap((entry) => {
    const data = Buffer.from(entry.text ?? '');
    return [header(entry, data.length), data, Buffer.alloc((512 - (data.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

function header({ name, type = '0', link = '', size }: TarEntry, length: number): Buffer {
  const block = Buffer.alloc(512);
  block.write(name, 0, 100);
  block.write('0000644\0', 100);
  block.write('0000000\0', 108);
  block.write('0000000\0', 116);
  block.write(size ?? `${length.toString(8).padStart(11, '0')}\0`, 124, 12, 'latin1');
  block.write('00000000000\0', 136);
  block.write(' '.repeat(8), 148);
  block.write(type, 156);
  block.write(link, 157, 100);
  block.write('ustar\x0000', 257, 'latin1');
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return block;
}
