export { openWebClient } from './open-web-client.ts';
