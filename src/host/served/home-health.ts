import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { probePlace } from '#adapters/store';
import { AppError, toErrorRecord } from '#kit/app-error';
import { isStoreFailure } from '#kit/store-failure';
import type { ErrorRecord } from '#spec/data';
import type { Home } from '../home.ts';

/** Where this home is kept fails, and since when. */
export interface HomeTrouble {
  readonly error: ErrorRecord;
  readonly since: number;
}

export interface HomeHealth {
  /** What keeps the home from working, if anything does. It is looked for at most once a second. */
  look(): Promise<HomeTrouble | undefined>;
  /** Something was thrown: where it was the place that failed, the home is in trouble until a look finds otherwise. */
  note(thrown: unknown): void;
  close(): void;
}

interface HealthOptions {
  readonly folders: readonly string[];
  /** Told when trouble begins, changes its kind, or is over. */
  readonly told: (now: HomeTrouble | undefined) => void;
  readonly lookMs?: number;
  readonly now?: () => number;
}

/**
 * Throws a clear error where the home cannot be made or written, before anything is opened in it: which file would fail
 * first, and with which words, is chance.
 */
export async function requireWritableHome({ home }: { readonly home: Home }): Promise<void> {
  let existing = home.root;
  while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing);
  const error = await probePlace(existing);
  if (error) throw new AppError(error);
  await mkdir(home.root, { recursive: true, mode: 0o700 });
}

const LOOK_MS = 5_000;
const FRESH_MS = 1_000;

/** Watches the place where a home is kept. It heals by itself, but for files that are damaged: those need a restart. */
export function openHomeHealth({
  folders,
  told,
  lookMs = LOOK_MS,
  now = Date.now,
}: HealthOptions): HomeHealth {
  let trouble: HomeTrouble | undefined;
  let looking: Promise<HomeTrouble | undefined> | undefined;
  let lookedAt = -Infinity;

  const set = (error: ErrorRecord | undefined): HomeTrouble | undefined => {
    if (trouble?.error.code === error?.code) return trouble;
    trouble = error && { error, since: trouble?.since ?? now() };
    told(trouble);
    return trouble;
  };
  const probe = async (): Promise<HomeTrouble | undefined> => {
    const found = await Promise.all(folders.map((folder) => probePlace(folder)));
    lookedAt = performance.now();
    const isDamaged = trouble && !trouble.error.retry.again;
    return isDamaged ? trouble : set(found.find((error) => error !== undefined));
  };
  const look: HomeHealth['look'] = () => {
    if (performance.now() - lookedAt < FRESH_MS) return Promise.resolve(trouble);
    return (looking ??= probe().finally(() => (looking = undefined)));
  };
  const timer = setInterval(() => void look(), lookMs).unref();
  return {
    look,
    note: (thrown) => {
      const record = toErrorRecord(thrown);
      if (!isStoreFailure(record.code) || (trouble && !trouble.error.retry.again)) return;
      // What was looked at before this has been disproved.
      lookedAt = performance.now();
      set(record);
    },
    close: () => clearInterval(timer),
  };
}
