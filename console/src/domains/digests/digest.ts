import type { Digest } from '#spec/api';

export type Stage = keyof Digest['times'];
export const STAGES: readonly Stage[] = ['detect', 'diagnose', 'decide', 'recover'];
export type DigestIncident = Digest['incidents'][number];
