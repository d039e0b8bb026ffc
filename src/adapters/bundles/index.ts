export { evidenceArchive } from './evidence-archive.ts';
export { readBundle } from './read-bundle.ts';
