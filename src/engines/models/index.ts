export { chooseTier, estimateComplexity, type Tier, TIERS } from './choose-tier.ts';
export { POOL_STRATEGIES, type PoolStrategy } from './credential-pool.ts';
export { type Candidate, openTurn, type RouteOptions } from './route.ts';
