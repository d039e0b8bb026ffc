/** What stands behind the name of a metric: the other end of a call edge, and the version. */
const CALLS =
  /^(?<base>(?:client_|outbound_)?(?:latency_ms_[a-z0-9]+|requests_per_s|requests|availability_pct|error_rate))(?<tail>_(?:from|to)_.+|@.+)?$/;

/** `latency_ms_p90_to_cart@v2` is `latency_ms_p90` with the tail `_to_cart@v2`, after the format of bundles. */
export function splitMetric(metric: string): { readonly base: string; readonly tail: string } {
  const { base = metric, tail = '' } = CALLS.exec(metric)?.groups ?? {};
  if (base !== metric || tail) return { base, tail };
  const [plain = metric, ...versions] = metric.split('@');
  return { base: plain, tail: versions.map((version) => `@${version}`).join('') };
}
