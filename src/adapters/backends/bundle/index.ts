export { readBundle } from './read-bundle.ts';
