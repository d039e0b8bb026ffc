export { openWebClient } from './open-web-client.ts';
export { webFetch } from './web-fetch.ts';
