const RANDOM_DIGITS = 12;

/** A new id that sorts by time of making, such as `run_mg1x2k3l8c1v0a9z4q7w`. Unique, not secret. */
export function newId(prefix: string): string {
  const random = () => Math.floor(Math.random() * 36).toString(36);
  const tail = Array.from({ length: RANDOM_DIGITS }, random).join('');
  return `${prefix}_${Date.now().toString(36)}${tail}`;
}
