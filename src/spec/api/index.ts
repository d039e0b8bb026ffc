import type { Contract } from './contract.ts';
import { INCIDENTS } from './incidents.ts';
import { SERVER } from './server.ts';

export type {
  AnswerOf,
  BodyRead,
  BodySent,
  Contract,
  EventOf,
  ParamsOf,
  QueryRead,
  QuerySent,
} from './contract.ts';
export { ApprovalInput, type IncidentPage, type NewIncident, type ShownApproval } from './incidents.ts';

/** Every route of a home, by group and name. What platforms send to has contracts of its own: see `webhookContract`. */
export const API = {
  incidents: INCIDENTS,
  server: SERVER,
} as const;

/** All of them in one list. */
export const CONTRACTS: readonly Contract[] = Object.values(API).flatMap((group) => Object.values(group));

type Groups = typeof API;
type Each = { [G in keyof Groups]: Groups[G][keyof Groups[G]] }[keyof Groups];

/** Each contract by what a client writes: `GET /api/incidents/:id`. */
export type Calls = { [C in Each as `${C['method']} ${C['path']}`]: C };
