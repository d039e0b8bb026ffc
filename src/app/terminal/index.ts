export { findSession, localAudience, localView } from './find-session.ts';
