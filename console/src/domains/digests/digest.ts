import type { IncidentDigest } from '#spec/data';

/** What `GET /api/digests` answers. */
export interface Digest extends IncidentDigest {
  /** There were more incidents than are counted. */
  readonly cut: boolean;
}

export type Stage = keyof IncidentDigest['times'];
export const STAGES: readonly Stage[] = ['detect', 'diagnose', 'decide', 'recover'];
export type DigestIncident = IncidentDigest['incidents'][number];
