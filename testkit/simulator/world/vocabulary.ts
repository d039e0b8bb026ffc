import type { Random } from '../random.ts';

/** What services are about, and what the programs of each speak of. */
const SUBJECTS: readonly (readonly [string, readonly string[]])[] = [
  ['parcel', ['label', 'weight', 'depot', 'route']],
  ['invoice', ['tax', 'line', 'currency', 'rounding']],
  ['quote', ['premium', 'term', 'rate', 'cover']],
  ['seat', ['row', 'hold', 'fare', 'cabin']],
  ['recipe', ['step', 'portion', 'unit', 'substitute']],
  ['lesson', ['chapter', 'quiz', 'score', 'enrolment']],
  ['tenant', ['plan', 'owner', 'domain', 'region']],
  ['meter', ['reading', 'interval', 'tariff', 'gateway']],
  ['claim', ['policy', 'document', 'payout', 'reserve']],
  ['fleet', ['vehicle', 'trip', 'geofence', 'driver']],
  ['coupon', ['voucher', 'redeem', 'expiry', 'campaign']],
  ['profile', ['avatar', 'consent', 'locale', 'preference']],
  ['session', ['token', 'scope', 'refresh', 'device']],
  ['media', ['thumbnail', 'codec', 'bitrate', 'upload']],
  ['search', ['facet', 'synonym', 'shard', 'ranking']],
  ['notice', ['template', 'channel', 'digest', 'bounce']],
  ['ledger', ['posting', 'balance', 'journal', 'settlement']],
  ['basket', ['item', 'quantity', 'merge', 'price']],
  ['stock', ['bin', 'pick', 'allocation', 'supplier']],
  ['audit', ['trail', 'actor', 'retention', 'export']],
  ['report', ['column', 'pivot', 'schedule', 'extract']],
  ['chat', ['room', 'presence', 'typing', 'attachment']],
  ['permit', ['zone', 'inspection', 'fee', 'applicant']],
  ['loan', ['collateral', 'instalment', 'grace', 'arrears']],
  ['weather', ['station', 'forecast', 'grid', 'alert']],
  ['crop', ['field', 'yield', 'soil', 'season']],
  ['ticket', ['queue', 'agent', 'macro', 'escalation']],
  ['menu', ['dish', 'modifier', 'kitchen', 'course']],
  ['booking', ['slot', 'waitlist', 'cancel', 'guest']],
  ['feed', ['cursor', 'fanout', 'follow', 'mute']],
];
const CODE_NAMES = [
  'heron',
  'basalt',
  'juniper',
  'kestrel',
  'onyx',
  'tundra',
  'maple',
  'cobalt',
  'otter',
  'quartz',
  'saffron',
  'willow',
  'zephyr',
  'ember',
  'fjord',
  'gannet',
  'indigo',
  'larch',
  'marlin',
  'nettle',
];
const VENDORS = ['paywell', 'mapstead', 'smsgrid', 'idvault', 'mailhop', 'fxrates', 'adlantic', 'scanly'];
const STORES = ['postgres', 'mysql', 'mongo', 'oracle', 'cassandra', 'dynamo'];

export type Role = 'entry' | 'service' | 'database' | 'cache' | 'queue' | 'vendor';

/** How one company writes the names of its services. */
type Style = 'kebab' | 'suffixed' | 'camel' | 'prefixed' | 'code' | 'number';

export interface Named {
  readonly name: string;
  /** What the programs and the changes of this service speak of. */
  readonly words: readonly string[];
}

export function openNames(random: Random): (role: Role) => Named {
  const style = random.weighted<Style>([
    ['kebab', 4],
    ['suffixed', 3],
    ['camel', 2],
    ['prefixed', 2],
    ['code', 2],
    ['number', 1],
  ]);
  const prefix = random.pick(['prd', 'eu1', 'core', 'ac']);
  const subjects = random.some(SUBJECTS, SUBJECTS.length);
  const codes = random.some(CODE_NAMES, CODE_NAMES.length);
  const taken = new Set<string>();
  let drawn = 0;
  return (role) => {
    const [subject, words] = subjects[drawn % subjects.length] as (typeof SUBJECTS)[number];
    const code = codes[drawn % codes.length] as string;
    drawn++;
    const base = plainName(role, subject, random);
    let name = styled(base, style, { prefix, code, number: drawn });
    while (taken.has(name)) name = `${name}${style === 'camel' ? 'B' : '-2'}`;
    taken.add(name);
    return { name, words: [subject, ...words] };
  };
}

function plainName(role: Role, subject: string, random: Random): string {
  if (role === 'entry')
    return random.pick(['web', 'gateway', 'mobile-api', 'edge', 'storefront', 'public-api']);
  if (role === 'database') return `${subject}-${random.pick(['db', 'store', random.pick(STORES)])}`;
  if (role === 'cache') return `${subject}-${random.pick(['cache', 'redis', 'memcached'])}`;
  if (role === 'queue') return `${subject}-${random.pick(['queue', 'events', 'topic', 'stream'])}`;
  if (role === 'vendor') return random.pick(VENDORS);
  return random.chance(0.3) ? `${subject}-${random.pick(['worker', 'writer', 'reader', 'sync'])}` : subject;
}

function styled(
  base: string,
  style: Style,
  { prefix, code, number }: { prefix: string; code: string; number: number },
): string {
  if (style === 'suffixed') return `${base}-service`;
  if (style === 'prefixed') return `${prefix}-${base}-svc`;
  if (style === 'code') return code;
  if (style === 'number') return `svc-${100 + number * 7}`;
  if (style === 'camel')
    return base
      .split('-')
      .map((part) => `${part[0]?.toUpperCase()}${part.slice(1)}`)
      .join('');
  return base;
}
