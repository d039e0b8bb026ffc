export { type JaegerServer, startJaegerServer } from './jaeger-server.ts';
