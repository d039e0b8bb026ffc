export { alertmanagerPayload, type FiringAlert } from './alertmanager-payload.ts';
export { type ApiAnswer, type IncidentApi, incidentApi, type ShownApproval } from './incident-api.ts';
export { type HomeContent, type IncidentHome, makeIncidentHome, PERSON, personOf } from './make-home.ts';
export { type ServingProcess, startServing } from './serve-process.ts';
export { type FedService, type ServiceFeed, startServiceFeed } from './service-feed.ts';
