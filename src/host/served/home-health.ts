import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { probeDatabase, probePlace, type StoreFile } from '#adapters/store';
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
  readonly databases?: readonly StoreFile[];
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
  await home.make();
}

const LOOK_MS = 5_000;
const FRESH_MS = 1_000;
/** A database up to the first size is read through at every look (2 ms a megabyte), one up to the second every minute. */
const SMALL_BYTES = 1_000_000;
const LARGER_BYTES = 8_000_000;
const LARGER_MS = 60_000;

/** Watches the place where a home is kept. It heals by itself, but for files that are damaged: those need a restart. */
export function openHomeHealth({
  folders,
  databases = [],
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
  const places = folders.map(samePlace);
  let readAt = performance.now();
  const probe = async (): Promise<HomeTrouble | undefined> => {
    const isDue = performance.now() - readAt >= LARGER_MS;
    if (isDue) readAt = performance.now();
    const mostBytes = isDue ? LARGER_BYTES : SMALL_BYTES;
    const found = await Promise.all([
      ...places.map((look) => look()),
      ...databases.map((file) => damageOf(file, mostBytes)),
    ]);
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

/** What is wrong with a folder, which has to be the one that it was at the first look. */
function samePlace(folder: string): () => Promise<ErrorRecord | undefined> {
  const identity = async (): Promise<string | undefined> => {
    // Why it cannot be looked at is what `probePlace` tells.
    const found = await stat(folder, { bigint: true }).catch(() => undefined);
    return found && `${found.dev} ${found.ino}`;
  };
  const first = identity();
  return async () => {
    const error = await probePlace(folder);
    if (error || (await first) === (await identity())) return error;
    return {
      code: 'store.failing',
      message: `${folder}: it was removed, moved or replaced while Hermes runs`,
      retry: { again: true },
    };
  };
}

async function damageOf(file: StoreFile, mostBytes: number): Promise<ErrorRecord | undefined> {
  try {
    await probeDatabase(file, { thorough: true, mostBytes });
    return undefined;
  } catch (thrown) {
    return toErrorRecord(thrown);
  }
}
