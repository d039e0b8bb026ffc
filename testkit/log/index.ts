export { type KeptLine, keptLog } from './kept-log.ts';
