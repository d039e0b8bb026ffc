import { hasHidden } from '#kit/hidden-characters';

const LONGEST = 200;
const DEEPEST = 8;
/** Names that some system takes for a device. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

// oxlint-disable-next-line no-control-regex
const HOSTILE = /^[/\\]|^[a-z]:|\\\.\.|[\0-\x1f\x7f\u202a-\u202e\u2066-\u2069]/i;

/** The first path that no honest archive or repository has: it leads out of its folder, or deceives whoever reads it. */
export const hostilePath = (paths: readonly string[]): string | undefined =>
  paths.find((path) => HOSTILE.test(path) || path.split('/').includes('..'));

/** The first path that may not be written anywhere, or undefined. Two that differ in case alone count as one. */
export function badPath(paths: readonly string[]): string | undefined {
  const seen = new Set<string>();
  return paths.find((path) => {
    const key = path.normalize('NFKC').toLowerCase();
    if (seen.has(key) || !isGood(path)) return true;
    seen.add(key);
    return false;
  });
}

function isGood(path: string): boolean {
  if (path.length > LONGEST || path.startsWith('/') || /[\\:\t\n\r]/.test(path) || hasHidden(path))
    return false;
  const parts = path.split('/');
  return (
    parts.length <= DEEPEST &&
    parts.every(
      (part) => part !== '' && part !== '.' && part !== '..' && !/[. ]$|^ /.test(part) && !DEVICE.test(part),
    )
  );
}

/** Letters, digits, dot, dash and underscore, of one alphabet. */
export const isSkillName = (name: string): boolean =>
  /^[a-z0-9][a-z0-9._-]{0,63}$/.test(name) && !DEVICE.test(name);
