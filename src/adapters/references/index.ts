export { localReferences } from './local-references.ts';
