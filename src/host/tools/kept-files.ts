import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { atomicWrite } from '#adapters/store';
import { newId } from '#kit/new-id';
import type { Audience } from '#spec/data';
import type { KeptFiles } from '#app/tools';
import type { Home } from '../home.ts';

/** What tools leave beside a conversation: long results, pictures, recordings. */
export function keptFiles(home: Home, { source, user, chat }: Audience): KeptFiles {
  const owner = createHash('sha256')
    .update(JSON.stringify([source, user, chat]))
    .digest('hex')
    .slice(0, 16);
  const folder = join(home.dir('artifacts'), owner);
  return {
    folder,
    keep: async (name, bytes) => {
      const extension = extname(name).replace(/[^\w.]/g, '');
      const stem = name
        .slice(0, name.length - extname(name).length)
        .replace(/[^\w-]+/g, '-')
        .slice(0, 40);
      const path = join(folder, `${newId(stem || 'file')}${extension}`);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await atomicWrite(path, bytes);
      return path;
    },
  };
}
