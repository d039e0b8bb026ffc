export type { OperatorHome, OwnFacts } from './operator-home.ts';
export { routeByRules } from './route-message.ts';
export { withoutNames } from './slots.ts';
export { readPhrasings } from './topics.ts';
