export { openServedSessions, type ServedSessions, type SessionReader } from './open-served-sessions.ts';
export { exportSession, findInSessions, importSession } from './sessions.ts';
