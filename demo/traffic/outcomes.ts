/** How requests went: a second, and how long they took. */
export interface Outcomes {
  readonly rps: number;
  /** Good answers a second. */
  readonly ok: number;
  /** Bad answers a second, by status code; `0` is no answer at all. */
  readonly errors: Readonly<Record<string, number>>;
  readonly p95Ms: number | undefined;
}

export function outcomesOf(
  done: readonly { readonly code: number; readonly ms: number }[],
  seconds: number,
): Outcomes {
  const errors: Record<string, number> = {};
  let ok = 0;
  for (const { code } of done) {
    if (code >= 200 && code < 400) ok += 1 / seconds;
    else errors[code] = (errors[code] ?? 0) + 1 / seconds;
  }
  const times = done.map(({ ms }) => ms).sort((one, other) => one - other);
  return { rps: done.length / seconds, ok, errors, p95Ms: times[Math.floor(times.length * 0.95)] };
}
