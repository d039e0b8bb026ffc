/** Addresses at which clouds hand out credentials to whoever asks. */
const METADATA_V4 = new Set([
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '100.100.100.200',
  '192.0.0.192',
  '168.63.129.16',
  '169.254.42.42',
]);
const METADATA_NAMES =
  /^(?:metadata(?:\.google\.internal|\.goog|\.azure\.internal|\.tencentyun\.com|\.platformequinix\.com)?|instance-data(?:\.ec2\.internal)?)$/;
const METADATA_V6 = new Set(['fd00:ec2::254', 'fd00:ec2::23', 'fd20:ce::254', 'fe80::a9fe:a9fe']);

/** The host of a URL, or of an operand like `user@host:path`; undefined when there is none. */
export function hostOf(word: string): string | undefined {
  const url = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]*)/i.exec(word);
  if (url) return url[1]?.toLowerCase();
  const plain = /^(?:[^/?#@\s]*@)?(\[[^\]]*\]|[^/?#:\s]+)(?:[:/?#]|$)/.exec(word);
  return plain?.[1]?.toLowerCase();
}

/** Whether a host is a metadata service, in whatever notation its address is written. */
export function isMetadataHost(host: string): boolean {
  const bare = decode(host).replace(/\.$/, '');
  if (METADATA_NAMES.test(bare)) return true;
  const inner = /^\[?(.*?)(?:%.*)?\]?$/.exec(bare)?.[1] ?? bare;
  if (inner.includes(':')) return isMetadataV6(inner);
  const v4 = readV4(inner);
  if (v4 !== undefined) return METADATA_V4.has(v4) || v4.startsWith('169.254.');
  // Names that resolve to the address they contain.
  const wrapped =
    /(?:^|[.-])(\d{1,3})[.-](\d{1,3})[.-](\d{1,3})[.-](\d{1,3})[.-](?:.*\.)?(?:nip|sslip|xip|traefik|localtest|rbndr|1u)\./.exec(
      `${inner}.`,
    );
  if (wrapped) return METADATA_V4.has(wrapped.slice(1, 5).join('.'));
  const hex = /(?:^|[.-])([0-9a-f]{8})\.(?:nip|sslip|xip|rbndr)\./.exec(`${inner}.`);
  return hex?.[1] !== undefined && METADATA_V4.has(dotted(Number.parseInt(hex[1], 16)));
}

/** Digits of other scripts and full-width letters are what a resolver makes of them. */
function decode(host: string): string {
  const folded = host.normalize('NFKC').replaceAll('。', '.').toLowerCase();
  try {
    return decodeURIComponent(folded);
  } catch {
    // A stray percent sign stays what it is.
    return folded;
  }
}

const dotted = (value: number): string =>
  [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255].join('.');

/** One to four numbers, each decimal, octal or hexadecimal, as `inet_aton` reads them. */
function readV4(host: string): string | undefined {
  const parts = host.split('.');
  if (parts.length > 4) return undefined;
  const numbers = parts.map((part) => {
    if (/^0x[0-9a-f]+$/.test(part)) return Number.parseInt(part, 16);
    if (/^0[0-7]+$/.test(part)) return Number.parseInt(part, 8);
    return /^\d+$/.test(part) ? Number(part) : Number.NaN;
  });
  if (numbers.some(Number.isNaN)) return undefined;
  const last = numbers.pop() ?? 0;
  let value = 0;
  for (const [at, number] of numbers.entries()) {
    if (number > 255) return undefined;
    value += number * 2 ** (24 - 8 * at);
  }
  value += last;
  return value < 2 ** 32 ? dotted(value) : undefined;
}

function isMetadataV6(text: string): boolean {
  const groups = expandV6(text);
  if (!groups) return false;
  const joined = groups.map((group) => group.toString(16)).join(':');
  if (
    [...METADATA_V6].some(
      (known) =>
        expandV6(known)
          ?.map((group) => group.toString(16))
          .join(':') === joined,
    )
  )
    return true;
  const embedded = (high: number | undefined, low: number | undefined) =>
    METADATA_V4.has(dotted((high ?? 0) * 65_536 + (low ?? 0)));
  // Mapped, compatible, NAT64 and SIIT forms end with the address; 6to4 has it after its prefix.
  return embedded(groups[6], groups[7]) || (groups[0] === 0x2002 && embedded(groups[1], groups[2]));
}

function expandV6(text: string): number[] | undefined {
  const withV4 = text.replace(/(\d+\.\d+\.\d+\.\d+)$/, (v4: string) => {
    const [a = 0, b = 0, c = 0, d = 0] = v4.split('.').map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
  const [head = '', tail] = withV4.split('::');
  const read = (side: string) =>
    side === '' ? [] : side.split(':').map((group) => Number.parseInt(group, 16));
  const [left, right] = [read(head), read(tail ?? '')];
  const missing = 8 - left.length - right.length;
  if (missing < 0 || (tail === undefined && missing !== 0)) return undefined;
  const groups = [...left, ...Array.from({ length: missing }, () => 0), ...right];
  return groups.some((group) => Number.isNaN(group)) ? undefined : groups;
}

/** Latin letters beside look-alikes of another script, in one name. */
export const isMixedScript = (name: string): boolean =>
  /\p{Script=Latin}/u.test(name) &&
  (/[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u.test(name) ||
    // Wide, bold and other forms of letters that read as plain ones.
    name.normalize('NFKC') !== name);

export const isLocalHost = (host: string): boolean =>
  /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[?::1\]?|0\.0\.0\.0|host\.docker\.internal)$/.test(host);
