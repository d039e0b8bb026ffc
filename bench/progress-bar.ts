import type { WriteStream } from 'node:tty';

const WIDTH = 40;
const FULL = 1;

/** A bar that is drawn over itself on a terminal, and not at all elsewhere. It goes away when it is full. */
export function progressBar(stream: Pick<WriteStream, 'isTTY' | 'write'>): (share: number) => void {
  if (!stream.isTTY) return () => undefined;
  return (share) => {
    const done = Math.round(Math.min(FULL, share) * WIDTH);
    const bar = `${'█'.repeat(done)}${'░'.repeat(WIDTH - done)} ${Math.floor(share * 100)} %`;
    stream.write(share >= FULL ? '\r\u001b[K' : `\r${bar}`);
  };
}
