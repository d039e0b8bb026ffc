import type { HubSource, HubTrust, SkillVerdict } from '#spec/data';

/** Where a source comes from, as `host/owner/repository` or a path: what a user may trust. */
export function publisherOf({ at }: Pick<HubSource, 'at'>): string {
  const scp = /^[\w.-]+@([\w.-]+):(.+)$/.exec(at);
  if (scp) return `${scp[1]?.toLowerCase()}/${trimmed(scp[2] ?? '')}`;
  const url = /^(?:https?|ssh):/i.test(at) ? URL.parse(at) : null;
  if (url) return `${url.hostname.toLowerCase()}/${trimmed(url.pathname)}`;
  return at.replace(/^file:\/\//, '');
}

const trimmed = (path: string): string => path.replace(/^\/+|\/+$|\.git\/?$/g, '');

/** Whether a publisher lies below one that is trusted: whole segments, and never a bare host. */
export function isTrusted(publisher: string, trusted: readonly string[]): boolean {
  return trusted.some((entry) => {
    const prefix = entry.replace(/^https:\/\//, '').replace(/\/+$/, '');
    if (!prefix.includes('/')) return false;
    const same = prefix.startsWith('/') ? publisher : publisher.toLowerCase();
    const wanted = prefix.startsWith('/') ? prefix : prefix.toLowerCase();
    return same === wanted || same.startsWith(`${wanted}/`);
  });
}

/**
 * How much a source is believed. It follows from where the bytes come from, never from what somebody says of himself. A
 * trusted registry speaks for an archive only by its hash.
 */
export function trustOf(source: HubSource, from: string, trusted: readonly string[]): HubTrust {
  const safeWay = !/^http:/i.test(source.at) && !/^http:/i.test(from);
  if (safeWay && isTrusted(publisherOf(source), trusted)) return 'trusted';
  const vouched = source.registry !== undefined && source.sha256 !== undefined && source.kind === 'archive';
  const openRegistry = /^http:/i.test(source.registry ?? '');
  if (vouched && !openRegistry && isTrusted(publisherOf({ at: source.registry ?? '' }), trusted))
    return 'trusted';
  return 'community';
}

/** A dangerous skill never comes in. A doubtful one of a stranger does when a person says so. */
export function decide(trust: HubTrust, verdict: SkillVerdict): 'install' | 'ask' | 'refuse' {
  if (verdict === 'dangerous') return 'refuse';
  return verdict === 'caution' && trust === 'community' ? 'ask' : 'install';
}
