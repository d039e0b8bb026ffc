export interface Lease<T> {
  readonly connection: T;
  /** Only the first call counts. A lease that is never given back is gone until the pool is retired. */
  release(): void;
}

export interface ConnectionPool<T> {
  readonly inUse: number;
  readonly pending: number;
  /** First come, first served. Rejects with `PoolExhausted` after `timeoutMs`. */
  acquire(timeoutMs: number): Promise<Lease<T>>;
  resize(size: number): void;
  readonly size: number;
  /** Opens nothing more; what is lent out is closed when it comes back, or now with `force`. */
  retire(force?: boolean): void;
}

export class PoolExhausted extends Error {
  override readonly name = 'PoolExhausted';
}

interface Waiter<T> {
  give(lease: Lease<T>): void;
  fail(error: PoolExhausted): void;
}

/** At most `size` connections, opened when first needed. */
export function createPool<T>(
  open: () => T,
  close: (connection: T) => void,
  initialSize: number,
): ConnectionPool<T> {
  let size = initialSize;
  let retired = false;
  const idle: T[] = [];
  const lent = new Set<T>();
  const waiters: Waiter<T>[] = [];

  const lend = (connection: T): Lease<T> => {
    lent.add(connection);
    let released = false;
    return {
      connection,
      release: () => {
        if (released) return;
        released = true;
        if (!lent.delete(connection)) return;
        if (retired || lent.size + idle.length >= size) close(connection);
        else idle.push(connection);
        serve();
      },
    };
  };
  const take = (): T | undefined => {
    if (lent.size >= size || retired) return undefined;
    return idle.pop() ?? open();
  };
  const serve = (): void => {
    while (waiters.length) {
      const connection = take();
      if (connection === undefined) return;
      waiters.shift()?.give(lend(connection));
    }
  };
  const exhausted = (ms: number): PoolExhausted =>
    new PoolExhausted(`connection pool exhausted: ${lent.size}/${size} in use, waited ${ms} ms`);

  return {
    get inUse() {
      return lent.size;
    },
    get pending() {
      return waiters.length;
    },
    get size() {
      return size;
    },
    acquire: (timeoutMs) => {
      const connection = waiters.length ? undefined : take();
      if (connection !== undefined) return Promise.resolve(lend(connection));
      return new Promise((resolve, reject) => {
        const waiter: Waiter<T> = {
          give: (lease) => {
            clearTimeout(timer);
            resolve(lease);
          },
          fail: (error) => {
            clearTimeout(timer);
            reject(error);
          },
        };
        const timer = setTimeout(() => {
          waiters.splice(waiters.indexOf(waiter), 1);
          waiter.fail(exhausted(timeoutMs));
        }, timeoutMs);
        waiters.push(waiter);
      });
    },
    resize: (next) => {
      size = Math.max(1, Math.floor(next));
      while (idle.length && lent.size + idle.length > size) {
        const spare = idle.pop();
        if (spare !== undefined) close(spare);
      }
      serve();
    },
    retire: (force = false) => {
      retired = true;
      for (const connection of idle.splice(0)) close(connection);
      for (const waiter of waiters.splice(0)) waiter.fail(new PoolExhausted('connection pool closed'));
      if (!force) return;
      for (const connection of lent) close(connection);
      lent.clear();
    },
  };
}
