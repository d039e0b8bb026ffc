import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { AppError, fail } from '#kit/app-error';
import { intoStore } from '#kit/into-store';
import { EvidenceResult } from '#spec/data';
import type { AskedRecord, EvidenceArchive } from '#spec/ports';
import { readBundle } from './read-bundle.ts';
import { writeBundle } from './write-bundle.ts';

const ASKED = 'asked.json';
const RESULTS = 'results.json';
const Results = z.record(z.string(), EvidenceResult);
const SAFE_NAME = /^[A-Za-z0-9][\w.-]{0,127}$/;

/** Each round of an incident is an incident bundle in a folder of its own, with what was asked beside it. */
export function evidenceArchive(root: string): EvidenceArchive {
  const folder = (incident: string, round: number): string => {
    if (!SAFE_NAME.test(incident)) throw fail('input.invalid', `'${incident}' is not the id of an incident.`);
    return join(root, incident, `round-${round}`);
  };
  return {
    folder,
    save: (incident, round, { telemetry, asked }) =>
      intoStore('incidents', async () => {
        const target = folder(incident, round);
        const draft = `${target}.draft`;
        requirePlace(dirname(root));
        await mkdir(join(root, incident), { recursive: true, mode: 0o700 });
        await rm(draft, { recursive: true, force: true });
        await writeBundle(draft, telemetry);
        await writeFile(join(draft, ASKED), JSON.stringify(asked, undefined, 1));
        await rm(target, { recursive: true, force: true });
        await rename(draft, target);
      }),
    load: async (incident, round) => {
      const target = folder(incident, round);
      const asked = await textOf(join(target, ASKED));
      if (asked === undefined) return undefined;
      return { telemetry: await readBundle(target), asked: JSON.parse(asked) as AskedRecord[] };
    },
    putResults: (incident, round, results) =>
      intoStore('incidents', async () => {
        const path = join(folder(incident, round), RESULTS);
        await writeFile(`${path}.draft`, JSON.stringify(results));
        await rename(`${path}.draft`, path);
      }),
    results: async (incident, round) => {
      const text = await textOf(join(folder(incident, round), RESULTS));
      return text === undefined ? {} : Results.parse(JSON.parse(text));
    },
  };
}

/** A home that is gone is not made anew: whoever puts it back would find its place taken. */
function requirePlace(path: string): void {
  if (existsSync(path)) return;
  const record = { code: 'store.failing', message: `${path}: it is gone`, retry: { again: true } } as const;
  throw new AppError({ ...record, details: { path, store: 'incidents' } });
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
