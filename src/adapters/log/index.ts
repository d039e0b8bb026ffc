export { LOG_FILES, openLog, type OpenLog } from './open-log.ts';
export { KEPT_FILES } from './rotating-file.ts';
