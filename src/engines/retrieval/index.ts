export { cutTerms } from './cut-terms.ts';
export { entriesFor, indexEntries } from './index-entries.ts';
export { indexMissing } from './index-missing.ts';
export { type LazyIndexer, lazyIndexer } from './lazy-indexer.ts';
export { messageText } from './message-text.ts';
export { type SearchOptions, searchSessions } from './search-sessions.ts';
