export { bundleSources } from './bundle-sources.ts';
export { readBundle } from './read-bundle.ts';
