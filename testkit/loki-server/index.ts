export { type LokiEntry, type LokiServer, startLokiServer } from './loki-server.ts';
