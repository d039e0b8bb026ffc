export { otlpRoutes } from './otlp-routes.ts';
