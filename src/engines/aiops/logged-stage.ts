import type { IncidentDeps } from './incident-deps.ts';

/** Tells how a stage went. One that is replayed from the journal does not run, and is not told again. */
export async function loggedStage<T>(
  { log, now }: Pick<IncidentDeps, 'log' | 'now'>,
  about: { readonly incident: string; readonly stage: string; readonly round: number },
  work: () => Promise<T>,
): Promise<T> {
  const begun = now();
  try {
    const done = await work();
    log.info('stage.ended', { ...about, ms: now() - begun });
    return done;
  } catch (thrown) {
    log.error('stage.failed', { ...about, ms: now() - begun, thrown });
    throw thrown;
  }
}
