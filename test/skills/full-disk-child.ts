import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSkillPlace } from './skill-place.ts';

/**
 * Runs in a mount namespace of its own: makes two small file systems, fills the space of one and the inodes of the
 * other, and prints what a person would read.
 */
const place = await openSkillPlace();
try {
  const [full, inodes] = [join(place.cwd, 'full'), join(place.cwd, 'inodes')];
  for (const folder of [full, inodes]) mkdirSync(folder);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', full]);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,nr_inodes=16', 'tmpfs', inodes]);
  for (const [folder, bytes] of [
    [full, 2 ** 20],
    [inodes, 0],
  ] as const) {
    try {
      for (let n = 0; ; n += 1) writeFileSync(join(folder, `${n}`), Buffer.alloc(bytes));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    }
  }
  const { text } = await place.run('disk_pressure', { path: full, large_mb: 100_000 });
  process.stdout.write(`${text}\n`);
  for (const folder of [full, inodes]) execFileSync('umount', [folder]);
} finally {
  await place.close();
}
