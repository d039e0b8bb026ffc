export interface KeyedCache<T> {
  /**
   * What is kept under the key, or what `load` gives. One reader of a key at a time: the others wait their turn, at most
   * `waitMs`, and are then refused with `KeyContended`.
   */
  read(key: string, load: () => Promise<T>, waitMs: number): Promise<CacheRead<T>>;
  flush(): void;
}

interface CacheRead<T> {
  readonly value: T;
  readonly hit: boolean;
  readonly waitedMs: number;
  /** Readers that were ahead. */
  readonly ahead: number;
}

export class KeyContended extends Error {
  override readonly name = 'KeyContended';
  readonly waitedMs: number;

  constructor(key: string, waitedMs: number, ahead: number) {
    super(`hot key ${key}: lock not acquired, waited ${Math.round(waitedMs)} ms behind ${ahead} readers`);
    this.waitedMs = waitedMs;
  }
}

export interface CacheOptions {
  ttlMs(): number;
  /** How long it takes to hand out an entry: large ones take long. */
  transfer(key: string): Promise<void>;
}

export function createKeyedCache<T>({ ttlMs, transfer }: CacheOptions): KeyedCache<T> {
  const entries = new Map<string, { value: T; until: number }>();
  const queues = new Map<string, (() => void)[]>();

  const lock = (key: string, waitMs: number): Promise<{ ahead: number; waitedMs: number }> => {
    const queue = queues.get(key);
    if (!queue) {
      queues.set(key, []);
      return Promise.resolve({ ahead: 0, waitedMs: 0 });
    }
    const ahead = queue.length + 1;
    const since = performance.now();
    return new Promise((resolve, reject) => {
      const turn = (): void => {
        clearTimeout(timer);
        resolve({ ahead, waitedMs: performance.now() - since });
      };
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(turn), 1);
        reject(new KeyContended(key, performance.now() - since, ahead));
      }, waitMs);
      queue.push(turn);
    });
  };
  const unlock = (key: string): void => {
    const next = queues.get(key)?.shift();
    if (next) next();
    else queues.delete(key);
  };

  return {
    read: async (key, load, waitMs) => {
      const { ahead, waitedMs } = await lock(key, waitMs);
      try {
        const found = entries.get(key);
        const hit = found !== undefined && found.until > Date.now();
        const value = hit ? found.value : await load();
        if (!hit) entries.set(key, { value, until: Date.now() + ttlMs() });
        await transfer(key);
        return { value, hit, waitedMs, ahead };
      } finally {
        unlock(key);
      }
    },
    flush: () => entries.clear(),
  };
}
