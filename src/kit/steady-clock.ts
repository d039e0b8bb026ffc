/**
 * The wall clock, but it never goes back: where somebody sets it back, time goes on at its usual pace until the wall clock
 * has caught up. For whatever lasts or is waited for; what is written down for people has the time that the machine says.
 */
export function steadyClock(
  wall: () => number = Date.now,
  elapsed: () => number = () => performance.now(),
): () => number {
  let at = wall();
  let looked = elapsed();
  return () => {
    const now = elapsed();
    at = Math.max(wall(), at + (now - looked));
    looked = now;
    return at;
  };
}
