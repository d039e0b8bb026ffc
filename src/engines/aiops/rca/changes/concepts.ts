import { cutTerms } from '#engines/retrieval';

/** Words that operators use for the same thing: a symptom says one, the change that caused it another. */
const CONCEPTS = [
  'timeout deadline cancelled exceeded withtimeout context_deadline',
  'pool connection conn conns acquire exhausted maxconns idle',
  'cache ttl expiry evict hit miss redis memcached stampede',
  'certificate cert tls x509 ssl handshake',
  'memory heap oom leak allocation buffer',
  'query sql select scan rows limit index table full',
  'rate limit throttle quota 429 burst',
  'retry retries backoff attempts storm',
  'lock mutex deadlock contention',
  'nil null pointer dereference panic undefined npe',
  'auth token unauthorized forbidden permission jwt credential secret 401 403',
  'schema column table migration relation constraint',
  'disk volume inode filesystem space',
  'dns resolve lookup host nameserver',
  'queue backlog consumer lag partition offset',
  'thread worker concurrency goroutine parallel',
  'cpu loop regex spin compute',
  'protobuf proto registration registry serialization encode decode marshal unmarshal',
] as const;

/** Half of a symptom's weight goes to the other words of its concept. */
const KINSHIP = 0.4;

const KIN: ReadonlyMap<string, readonly string[]> = (() => {
  const kin = new Map<string, string[]>();
  for (const concept of CONCEPTS) {
    const terms = [...new Set(cutTerms(concept))];
    for (const term of terms)
      kin.set(term, [...(kin.get(term) ?? []), ...terms.filter((other) => other !== term)]);
  }
  return kin;
})();

/** Terms with those of the same concepts beside them, which weigh less. */
export function withKin(weights: ReadonlyMap<string, number>): Map<string, number> {
  const spread = new Map(weights);
  for (const [term, weight] of weights) {
    for (const other of KIN.get(term) ?? []) {
      spread.set(other, Math.max(spread.get(other) ?? 0, weight * KINSHIP));
    }
  }
  return spread;
}
