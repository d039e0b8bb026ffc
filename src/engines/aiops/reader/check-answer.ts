import { z } from 'zod';
import type { Cause } from '#spec/data';
import type { Text } from '#kit/text';
import { QUERY_KINDS, type ReaderQuestion } from './reader-question.ts';
import { words } from './words.ts';

const Query = z.object({ kind: z.enum(QUERY_KINDS), service: z.string() });
type ReaderQuery = z.infer<typeof Query>;

const Answer = z.object({
  verdict: z.string(),
  evidence: z.array(z.string()),
  quote: z.string(),
  query: Query.nullish().catch(undefined),
});

/** An answer that holds. */
export interface FoundedAnswer {
  readonly verdict: Cause;
  readonly evidence: readonly string[];
  readonly quote: string;
  readonly query: ReaderQuery | undefined;
}

export type CheckedAnswer =
  | { readonly answer: FoundedAnswer }
  | { readonly problem: 'unanswered' | 'unfounded'; readonly why: Text };

/** Shorter ones stand in every text. */
const LEAST_QUOTE = 12;

/**
 * An answer counts when it can be read, chooses one of what it was offered, cites evidence that it was shown, and quotes,
 * word for word, a line of that evidence or of a change.
 */
export function checkAnswer(text: string | undefined, question: ReaderQuestion): CheckedAnswer {
  if (!text?.trim()) return { problem: 'unanswered', why: words.silent };
  const parsed = Answer.safeParse(jsonIn(text));
  if (!parsed.success) return { problem: 'unanswered', why: words.unreadable };
  const { evidence, query } = parsed.data;
  const quote = parsed.data.quote.trim();
  const unfounded = (why: Text): CheckedAnswer => ({ problem: 'unfounded', why });
  const verdict = question.options.get(parsed.data.verdict.trim());
  if (!verdict) return unfounded(words.noHypothesis);
  if (!evidence.length) return unfounded(words.noEvidence);
  if (!evidence.every((id) => question.evidence.has(id))) return unfounded(words.strangeEvidence);
  const lines = [...evidence.map((id) => question.evidence.get(id) ?? ''), ...question.changes];
  if (quote.length < LEAST_QUOTE || !lines.some((line) => line.includes(quote)))
    return unfounded(words.strangeQuote);
  const known = query && question.services.has(query.service) ? query : undefined;
  return { answer: { verdict, evidence: [...new Set(evidence)], quote, query: known } };
}

/** The object in a text that may say more around it. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
  } catch {
    // What is no JSON is no answer.
    return undefined;
  }
}
