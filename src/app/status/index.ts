export type { HomeReach, ReachedThing } from './home-reach.ts';
export type { AskingManner, PartReachable, ReachPart } from './reach-part.ts';
export { reachSentence } from './reach-sentence.ts';
export { type ServedStatus, servedStatus } from './served-status.ts';
export { viewInterfaces } from './view-interfaces.ts';
export { type ReachView, viewReach } from './view-reach.ts';
