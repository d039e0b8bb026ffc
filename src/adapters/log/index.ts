export { followLog, lastLines, type ReadLine, readLine } from './read-log.ts';
export { LOG_FILES, openLog, type OpenLog } from './open-log.ts';
export { KEPT_FILES } from './rotating-file.ts';
