const OFFSET = 14695981039346656037n;
const PRIME = 1099511628211n;
const MASK = (1n << 64n) - 1n;
const SEPARATOR = 255;

/** The fingerprint that Prometheus and Alertmanager give to a set of labels: FNV-1a over the sorted pairs. */
export function fingerprint(labels: Readonly<Record<string, string>>): string {
  let hash = OFFSET;
  const add = (byte: number): void => {
    hash = ((hash ^ BigInt(byte)) * PRIME) & MASK;
  };
  for (const name of Object.keys(labels).sort())
    for (const text of [name, labels[name] ?? '']) {
      for (const byte of Buffer.from(text)) add(byte);
      add(SEPARATOR);
    }
  return hash.toString(16).padStart(16, '0');
}
