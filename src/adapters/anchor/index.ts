export { openAnchor, parseAnchor } from './open-anchor.ts';
export { readAnchorFile } from './anchor-file.ts';
