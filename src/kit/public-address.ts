/** An address as its bits, 32 or 128 of them. */
interface Bits {
  readonly value: bigint;
  readonly width: 32 | 128;
}

type Range = readonly [block: string, reason: string];

/** Checked from the top: what is special comes before the block that it lies in. */
const V4: readonly Range[] = [
  ['169.254.169.254/32', 'a cloud metadata service'],
  ['169.254.170.2/32', 'a cloud metadata service'],
  ['169.254.170.23/32', 'a cloud metadata service'],
  ['100.100.100.200/32', 'a cloud metadata service'],
  ['192.0.0.192/32', 'a cloud metadata service'],
  ['168.63.129.16/32', 'a cloud metadata service'],
  ['0.0.0.0/8', 'this host itself'],
  ['10.0.0.0/8', 'a private network'],
  ['100.64.0.0/10', 'a carrier-grade NAT'],
  ['127.0.0.0/8', 'a loopback address'],
  ['169.254.0.0/16', 'a link-local address'],
  ['172.16.0.0/12', 'a private network'],
  ['192.0.0.0/24', 'reserved'],
  ['192.0.2.0/24', 'reserved for documentation'],
  ['192.88.99.0/24', 'a 6to4 relay'],
  ['192.168.0.0/16', 'a private network'],
  ['198.18.0.0/15', 'reserved for benchmarks'],
  ['198.51.100.0/24', 'reserved for documentation'],
  ['203.0.113.0/24', 'reserved for documentation'],
  ['224.0.0.0/4', 'a multicast address'],
  ['240.0.0.0/4', 'reserved'],
];

const V6: readonly Range[] = [
  ['fd00:ec2::/64', 'a cloud metadata service'],
  ['fd20:ce::254/128', 'a cloud metadata service'],
  ['::/128', 'this host itself'],
  ['::1/128', 'a loopback address'],
  ['::/96', 'an IPv4-compatible address'],
  ['::ffff:0:0:0/96', 'an IPv4-translated address'],
  ['64:ff9b:1::/48', 'a private NAT64'],
  ['100::/64', 'an address that discards'],
  ['2001::/32', 'a Teredo tunnel'],
  ['2001::/23', 'reserved'],
  ['2001:db8::/32', 'reserved for documentation'],
  ['2002::/16', 'a 6to4 tunnel'],
  ['3fff::/20', 'reserved for documentation'],
  ['fc00::/7', 'a private network'],
  ['fe80::/10', 'a link-local address'],
  ['fec0::/10', 'a site-local address'],
  ['ff00::/8', 'a multicast address'],
];

/** Blocks whose last 32 bits are an IPv4 address that the packet really goes to: that address decides. */
const CARRIERS: readonly string[] = ['::ffff:0:0/96', '64:ff9b::/96'];
/** All that is routed publicly. What lies outside and has no name above is not assigned to anybody. */
const GLOBAL = '2000::/3';

/**
 * Why a connection to this address may not be made for somebody else, or undefined when it is a public address. Takes
 * every notation that `new URL` takes (`127.1`, `0x7f000001`, `2130706433`, `[::1]`) and zones (`fe80::1%eth0`);
 * whatever is no address at all is refused.
 */
export function refusedAddress(ip: string): string | undefined {
  const bits = parseAddress(ip);
  if (!bits) return 'not an IP address';
  return bits.width === 32 ? named(bits, V4) : refusedV6(bits);
}

function refusedV6(bits: Bits): string | undefined {
  if (CARRIERS.some((block) => inBlock(bits, block)))
    return named({ value: bits.value & 0xffff_ffffn, width: 32 }, V4);
  return named(bits, V6) ?? (inBlock(bits, GLOBAL) ? undefined : 'not assigned');
}

const named = (bits: Bits, ranges: readonly Range[]): string | undefined =>
  ranges.find(([block]) => inBlock(bits, block))?.[1];

function inBlock({ value, width }: Bits, block: string): boolean {
  const [base = '', length = ''] = block.split('/');
  const start = parseAddress(base);
  if (start?.width !== width) return false;
  const shift = BigInt(width - Number(length));
  return value >> shift === start.value >> shift;
}

/** The URL parser brings every notation into one, and is what browsers and `fetch` go by. */
function parseAddress(ip: string): Bits | undefined {
  const bare = ip
    .trim()
    .replace(/^\[(.*)\]$/s, '$1')
    .replace(/%.*$/s, '');
  const v6 = bare.includes(':');
  if (!/^[\da-fx:.]+$/i.test(bare)) return undefined;
  const url = URL.parse(`http://${v6 ? `[${bare}]` : bare}/`);
  if (!url) return undefined;
  if (v6) return { value: v6Value(url.hostname.slice(1, -1)), width: 128 };
  return /^\d+(\.\d+){3}$/.test(url.hostname) ? { value: v4Value(url.hostname), width: 32 } : undefined;
}

const v4Value = (dotted: string): bigint =>
  dotted.split('.').reduce((value, part) => (value << 8n) | BigInt(part), 0n);

/** Of the compressed form that the URL parser writes, which has no dotted part. */
function v6Value(text: string): bigint {
  const [head = '', tail] = text.split('::');
  const left = groups(head);
  const right = groups(tail ?? '');
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => '0');
  return [...left, ...zeros, ...right].reduce((value, part) => (value << 16n) | BigInt(`0x${part}`), 0n);
}

const groups = (text: string): string[] => (text === '' ? [] : text.split(':'));
