export { openHubFetcher } from './open-hub-fetcher.ts';
export { openHubOutlet } from './open-hub-outlet.ts';
export { openHubPlace } from './open-hub-place.ts';
