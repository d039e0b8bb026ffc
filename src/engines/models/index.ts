export { modelAsker } from './ask-model.ts';
export { chooseTier, type Tier } from './choose-tier.ts';
export { type Candidate, openTurn, type RouteOptions } from './route.ts';
