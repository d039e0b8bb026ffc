export { startTempoServer, type TempoServer } from './tempo-server.ts';
