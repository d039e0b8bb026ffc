export { loadCommandLister } from './load-command-lister.ts';
