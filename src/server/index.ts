export type { Readiness } from './health-routes.ts';
export { type ServerAuth, serverAuthFromEnv } from './server-auth.ts';
export type { ServerGauge } from './server-metrics.ts';
export { type RunningServer, type ServerOptions, startServer } from './start-server.ts';
export { type ServedHome, serveHome } from './serve-home.ts';
export type { DemoControls } from './routes/demo-routes.ts';
