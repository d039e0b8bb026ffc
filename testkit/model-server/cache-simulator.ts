import { createHash } from 'node:crypto';
import { countTokens } from './transcript.ts';
import type { Piece } from './wire-protocol.ts';

/** Input tokens by kind; they do not overlap. */
export interface InputCounts {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** Of `cacheWrite`, the part kept for an hour. */
  readonly cacheWrite1h: number;
}

/** Remembers prompts, so that a client can be measured by what it makes cacheable. */
export interface CacheSimulator {
  /** Counts a prompt and remembers it. `owner` is whoever shares a cache: a model and a cache key or API key. */
  count(owner: string, pieces: readonly Piece[], caching: 'automatic' | 'marked'): InputCounts;
  clear(): void;
}

/** A marker finds what was written up to this many pieces before it, as the vendor documents. */
const LOOK_BACK = 20;
/** Prompts an owner's automatic cache holds. */
const KEPT_PROMPTS = 200;

const sum = (pieces: readonly Piece[]) => pieces.reduce((total, piece) => total + piece.tokens, 0);

function commonLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}

/** Tokens of the longest equal beginning. The first piece that differs counts as far as it is equal. */
function sharedTokens(pieces: readonly Piece[], before: readonly Piece[]): number {
  const differs = pieces.findIndex((piece, index) => piece.key !== before[index]?.key);
  const same = differs < 0 ? pieces : pieces.slice(0, differs);
  const next = pieces[same.length];
  const nextBefore = before[same.length];
  if (!next || !nextBefore) return sum(same);
  const header = next.key.indexOf('\n') + 1;
  const equal = commonLength(next.key, nextBefore.key);
  const partial = equal > header ? countTokens(next.key.slice(header, equal)) - 1 : 0;
  return sum(same) + Math.max(0, partial);
}

function countAutomatic(prompts: (readonly Piece[])[], pieces: readonly Piece[]): InputCounts {
  const cacheRead = prompts.reduce((most, before) => Math.max(most, sharedTokens(pieces, before)), 0);
  prompts.push(pieces);
  if (prompts.length > KEPT_PROMPTS) prompts.shift();
  return { input: sum(pieces) - cacheRead, cacheRead, cacheWrite: 0, cacheWrite1h: 0 };
}

/** A digest for the prompt up to and including each piece. */
function prefixDigests(pieces: readonly Piece[]): readonly string[] {
  const hash = createHash('sha256');
  return pieces.map((piece) => {
    hash.update(`${piece.key.length}:${piece.key}`);
    return hash.copy().digest('hex');
  });
}

function countMarked(written: Set<string>, pieces: readonly Piece[]): InputCounts {
  const digests = prefixDigests(pieces);
  const markers = pieces.flatMap((piece, index) => (piece.cache ? [index] : []));
  let readTo = -1;
  for (const marker of markers) {
    for (let at = marker; at > Math.max(readTo, marker - LOOK_BACK); at--) {
      if (written.has(digests[at] as string)) readTo = Math.max(readTo, at);
    }
  }
  const writeTo = Math.max(readTo, markers.at(-1) ?? -1);
  const longTo = pieces.findLastIndex((piece) => piece.cache === '1h');
  for (const marker of markers) written.add(digests[marker] as string);
  return {
    input: sum(pieces.slice(writeTo + 1)),
    cacheRead: sum(pieces.slice(0, readTo + 1)),
    cacheWrite: sum(pieces.slice(readTo + 1, writeTo + 1)),
    cacheWrite1h: longTo > readTo ? sum(pieces.slice(readTo + 1, longTo + 1)) : 0,
  };
}

function entry<T>(map: Map<string, T>, owner: string, make: () => T): T {
  const found = map.get(owner) ?? make();
  map.set(owner, found);
  return found;
}

export function createCacheSimulator(): CacheSimulator {
  const prompts = new Map<string, (readonly Piece[])[]>();
  const written = new Map<string, Set<string>>();
  return {
    count: (owner, pieces, caching) =>
      caching === 'automatic'
        ? countAutomatic(
            entry(prompts, owner, () => []),
            pieces,
          )
        : countMarked(
            entry(written, owner, () => new Set<string>()),
            pieces,
          ),
    clear() {
      prompts.clear();
      written.clear();
    },
  };
}
