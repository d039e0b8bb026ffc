export type { Diagnosis, Finding } from './diagnosis.ts';
export { type DoctorText, doctorText } from './doctor-text.ts';
export { lookAtFallbacks, lookAtModel, lookOnline } from './look-at-models.ts';
export { lookAtReach } from './look-at-reach.ts';
