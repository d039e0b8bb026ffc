import type { Digest } from '#spec/api';
import { type DigestIncident, type Stage, STAGES } from '../../domains/digests/digest.ts';

/** Which incidents are behind a number, by its name in the address. Each once, in the order of the digest. */
export function behind(digest: Digest, name: string): readonly DigestIncident[] {
  const ids = new Set(idsBehind(digest, name));
  return digest.incidents.filter(({ id }) => ids.has(id));
}

function idsBehind(digest: Digest, name: string): readonly string[] {
  const at = name.indexOf(':');
  const [kind, which] = at < 0 ? [name, ''] : [name.slice(0, at), name.slice(at + 1)];
  const { ended, approvals, learned } = digest;
  switch (kind) {
    case 'opened':
      return which ? bucket(digest, which).opened : digest.opened;
    case 'ended':
      return which ? bucket(digest, which).ended : [...ended.recovered, ...ended.resolved, ...ended.closed];
    case 'recovered':
    case 'resolved':
    case 'closed':
      return ended[kind];
    case 'granted':
    case 'denied':
    case 'expired':
      return approvals[kind];
    case 'answered':
      return [...approvals.granted, ...approvals.denied];
    case 'inconclusive':
      return digest.inconclusive;
    case 'service':
      return digest.services.find(({ service }) => service === which)?.incidents ?? [];
    case 'cause':
      return digest.causes.find(({ cause }) => cause === which)?.incidents ?? [];
    case 'severity':
      return digest.severities.find(({ severity }) => severity === which)?.incidents ?? [];
    case 'done':
      return digest.done.find(({ operation }) => operation === which)?.incidents ?? [];
    case 'failed':
      return digest.notRecovered.map(({ incident }) => incident);
    case 'repeated':
      return digest.repeated[Number(which)]?.incidents ?? [];
    case 'lessons':
      return learned.lessons;
    default:
      return isStage(kind) ? digest.times[kind].values.map(({ incident }) => incident) : [];
  }
}

const isStage = (name: string): name is Stage => (STAGES as readonly string[]).includes(name);
const NOTHING = { opened: [], ended: [] };
const bucket = ({ buckets }: Digest, start: string) =>
  buckets.find((each) => each.start === Number(start)) ?? NOTHING;
