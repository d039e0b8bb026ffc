export type { Candidate, Recalled, RecallHits, ScoreParts } from './candidate.ts';
export { chooseTerms, type QueryTerm } from './choose-terms.ts';
/** @public */
export { cutTerms } from './cut-terms.ts';
export { isStopTerm } from './stop-words.ts';
export { FIELD_WEIGHTS } from './field-weights.ts';
export { indexEntries } from './index-entries.ts';
export { indexMissing } from './index-missing.ts';
export { lazyIndexer } from './lazy-indexer.ts';
export { messageText } from './message-text.ts';
export { type RankOptions, rankRecall, recallPool, type Scorer, SCORERS } from './rank-recall.ts';
export { RECALL_WEIGHTS, type RecallWeights } from './recall-weights.ts';
export { searchSessions } from './search-sessions.ts';
export { embeddedText, type Telling, termFields } from './term-fields.ts';
