import { fail } from '#kit/app-error';

const LONGEST = 500;

/** A glob taken apart: the folder that it starts from, and what must match below it. */
export interface Glob {
  /** Leading folders without wildcards; empty for the workspace. */
  readonly base: string;
  /** Whether it names something hidden, and so wants to see it. */
  readonly hidden: boolean;
  /** Tells whether a path below `base` matches; folders end in a slash. */
  matches(path: string): boolean;
}

/** As in .gitignore: a glob without a slash matches names at any depth, one with a slash the whole path. */
export function parseGlob(glob: string): Glob {
  if (glob.length > LONGEST) throw fail('tool.failed', `the glob is longer than ${LONGEST} characters`);
  const onlyFolders = glob.endsWith('/');
  const pattern = glob.replace(/\/+$/, '').replace(/^(?:\.\/)+/, '');
  const hidden = /(?:^|[/{,])\.[^./]/.test(pattern);
  const anchored = pattern.includes('/');
  const segments = pattern.split('/');
  const plain = segments.slice(0, -1).findIndex((segment) => /[*?[{\\]/.test(segment));
  const depth = anchored ? (plain < 0 ? segments.length - 1 : plain) : 0;
  const base = segments.slice(0, depth).join('/') || (pattern.startsWith('/') ? '/' : '');
  const source = toSource(segments.slice(depth).join('/'));
  const whole = new RegExp(anchored ? `^${source}$` : `^(?:.*/)?${source}$`, 'u');
  return {
    base,
    hidden,
    matches: (path) =>
      path.endsWith('/') ? whole.test(path.slice(0, -1)) : !onlyFolders && whole.test(path),
  };
}

function toSource(pattern: string): string {
  let source = '';
  let braces = 0;
  for (let at = 0; at < pattern.length; ) {
    const [token = ''] = /^(?:\*\*\/|\/\*\*$|\*+|\[!?\]?[^\]]*\]|\\.|.)/su.exec(pattern.slice(at)) ?? [];
    at += token.length;
    if (token === '**/') source += '(?:[^/]+/)*';
    else if (token === '/**') source += '/.+';
    else if (token.startsWith('*')) source += token.length > 1 ? '.*' : '[^/]*';
    else if (token === '?') source += '[^/]';
    else if (token.startsWith('[') && token.length > 2) source += characterClass(token);
    else if (token === '{') [source, braces] = [`${source}(?:`, braces + 1];
    else if (token === '}' && braces > 0) [source, braces] = [`${source})`, braces - 1];
    else if (token === ',' && braces > 0) source += '|';
    else source += literal(token.length > 1 && token.startsWith('\\') ? token.slice(1) : token);
  }
  return source + ')'.repeat(braces);
}

function characterClass(token: string): string {
  const inner = token.slice(1, -1);
  const negated = /^[!^]/.test(inner);
  const members = (negated ? inner.slice(1) : inner).replace(/[\\\][^&]/g, '\\$&');
  return `(?!/)[${negated ? '^' : ''}${members}]`;
}

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
