export type { ScoreShare } from './candidate.ts';
export { chooseTerms } from './choose-terms.ts';
/** @public */
export { cutTerms } from './cut-terms.ts';
export { isStopTerm } from './stop-words.ts';
export { FIELD_WEIGHTS } from './field-weights.ts';
export { indexMissing } from './index-missing.ts';
export { lazyIndexer } from './lazy-indexer.ts';
export { messageText } from './message-text.ts';
export { rankRecall, recallPool, type Scorer } from './rank-recall.ts';
export { RECALL_WEIGHTS, type RecallWeights } from './recall-weights.ts';
export { searchSessions } from './search-sessions.ts';
export { embeddedText, termFields } from './term-fields.ts';
export { type FoundPassage, type Passage, passageIndex, type Passages } from './passages.ts';
export { type FoundTopic, type Phrasing, type TopicIndex, topicIndex } from './topic-index.ts';
export { type Thesaurus, thesaurus } from './thesaurus.ts';
