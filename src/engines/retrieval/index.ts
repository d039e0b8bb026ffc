/** @public */
export { cutTerms } from './cut-terms.ts';
export { indexEntries } from './index-entries.ts';
export { indexMissing } from './index-missing.ts';
export { lazyIndexer } from './lazy-indexer.ts';
export { messageText } from './message-text.ts';
export { searchSessions } from './search-sessions.ts';
