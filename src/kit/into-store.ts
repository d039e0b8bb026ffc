import type { StoreName } from '#spec/data';
import { AppError } from './app-error.ts';
import { storeFailure } from './store-failure.ts';

/** Writes what belongs to one of the home's stores. Where the place fails, the error says whose it is. */
export async function intoStore<T>(store: StoreName, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (thrown) {
    const failure = storeFailure(thrown);
    if (!failure) throw thrown;
    throw new AppError({ ...failure, details: { ...failure.details, store } }, { cause: thrown });
  }
}
