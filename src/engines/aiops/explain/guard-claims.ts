import type { Evidence, Rca } from '#spec/data';
import { names } from '../evidence/first-looks.ts';
import { type Piece, splitClaims } from './split-claims.ts';

export interface GuardedText {
  /** What is left. */
  readonly text: string;
  /** What was struck out, each with the reason. */
  readonly struck: string[];
}

interface GuardOptions {
  /** Services that are known to exist: naming one that no evidence names is a claim out of nowhere. */
  readonly services?: readonly string[];
}

const EVIDENCE_ID = /\bev_[a-z]+_\d+\b/g;
const URL = /\bhttps?:\/\/[^\s)\]>"']+/g;
const HAS_WORDS = /[\p{L}\p{N}]/u;
/** A heading says nothing as long as it has only these words. */
const HEADING_WORDS =
  /^(?:the|and|of|for|what|is|are|we|know|do|not|root|cause|causes|likely|summary|explanation|analysis|evidence|supporting|refuting|impact|timeline|next|steps?|recommendations?|hypothes[ei]s|other|alternatives?|missing|gaps?|uncertaint(?:y|ies)|background|conclusion|open|questions?|根因|根本原因|原因|证据|支持|反驳|摘要|总结|说明|解释|影响|时间线|下一步|建议|假设|其他|可能|缺失|缺口|不确定性?|背景|结论|分析|的|和|与|待查|问题)$/i;
/** What a name of a service looks like when nobody gave a list. */
const LOOKS_LIKE_SERVICE =
  /\b(?:[a-z][a-z0-9]*[-_])+(?:service|svc|server|api|gateway|proxy|db|database|mysql|postgres|redis|cache|queue|worker|broker|frontend|backend)\b|\b(?:mysql|postgres|redis|kafka|mongo)-[a-z0-9-]+\b/gi;

/**
 * Strikes out every sentence that claims something without evidence of this diagnosis: it cites nothing, cites what is
 * not there, names a service that no evidence names, or points to an address that no evidence has.
 */
export function guardClaims(text: string, rca: Rca, { services = [] }: GuardOptions = {}): GuardedText {
  const known = new Map(rca.evidence.map((evidence) => [evidence.id, evidence]));
  const named = rca.evidence.map(
    ({ service = '', summary, query }) => `${service}\n${Object.values(summary).join('\n')}\n${query}`,
  );
  const context = { known, named: named.join('\n').toLowerCase(), services };
  const struck: string[] = [];
  const kept = splitClaims(text).filter((piece) => {
    const problem = problemOf(piece, context);
    if (problem !== undefined) struck.push(`${piece.text.trim()} (${problem})`);
    return problem === undefined;
  });
  return { text: tidied(kept), struck };
}

interface GuardContext {
  readonly known: ReadonlyMap<string, Evidence>;
  /** Everything that evidence says, in small letters. */
  readonly named: string;
  readonly services: readonly string[];
}

function problemOf({ text, kind }: Piece, { known, named, services }: GuardContext): string | undefined {
  if (kind === 'space' || !HAS_WORDS.test(text)) return undefined;
  if (kind === 'heading' && isBare(text)) return undefined;
  const cited = text.match(EVIDENCE_ID) ?? [];
  if (!cited.length) return 'cites no evidence';
  const unknown = cited.find((id) => !known.has(id));
  if (unknown !== undefined) return `${unknown} is no evidence of this incident`;
  const foreign = servicesIn(text, services).find((service) => !names(named, service.toLowerCase()));
  if (foreign !== undefined) return `no evidence names ${foreign}`;
  const links = [...known.values()].flatMap(({ link }) => link ?? []);
  const strange = (text.match(URL) ?? []).find((url) => !links.includes(url));
  return strange === undefined ? undefined : 'points to an address that no evidence has';
}

function servicesIn(text: string, services: readonly string[]): string[] {
  const plain = text.replace(EVIDENCE_ID, ' ').replace(URL, ' ');
  const small = plain.toLowerCase();
  return [
    ...services.filter((service) => names(small, service.toLowerCase())),
    ...(plain.match(LOOKS_LIKE_SERVICE) ?? []),
  ];
}

const isBare = (heading: string): boolean =>
  (heading.match(/[㐀-鿿]+|[\p{L}\p{N}'-]+/gu) ?? []).every((word) => HEADING_WORDS.test(word));

/** Bullets whose sentence is gone, headings with nothing below and rows of empty lines go as well. */
function tidied(pieces: readonly Piece[]): string {
  const lines = pieces
    .map(({ text }) => text)
    .join('')
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => !/^\s*(?:[-*+•·]|\d{1,3}[.)、])$/.test(line));
  const kept: string[] = [];
  let hasBody = false;
  for (const line of lines.toReversed()) {
    const isBlank = !line.trim();
    if (!isBlank && isHeading(line) && !hasBody) continue;
    if (!isBlank) hasBody = !isHeading(line);
    kept.push(line);
  }
  return kept
    .toReversed()
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** One that cites evidence says something itself. */
const isHeading = (line: string): boolean =>
  /^\s*#|^\s*\*\*[^*]+\*\*\s*[:\uff1a]?$|[:\uff1a]$/.test(line) && !/\bev_[a-z]+_\d/.test(line);
