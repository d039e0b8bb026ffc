export { requesterOf } from './conversation-permit.ts';
export type { HomeGate, PersonProof } from './home-gate.ts';
export { decideRequest, listRequests, revokeGrant } from './requests.ts';
