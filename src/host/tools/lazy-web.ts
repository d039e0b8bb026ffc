import type { WebClient } from '#spec/ports';

export interface LazyWeb extends WebClient {
  close(): Promise<void>;
}

/** A web client that is loaded with its first request. */
export function lazyWeb(allowPrivate: readonly string[]): LazyWeb {
  let opened: Promise<LazyWeb> | undefined;
  const client = () => {
    opened ??= import('#adapters/net').then(({ openWebClient }) => openWebClient({ allowPrivate }));
    return opened;
  };
  return {
    fetch: async (request, signal) => (await client()).fetch(request, signal),
    reach: async (...asked) => (await client()).reach(...asked),
    resolve: async (...asked) => (await client()).resolve(...asked),
    certificate: async (...asked) => (await client()).certificate(...asked),
    close: async () => (await opened)?.close(),
  };
}
