import type { Incident, IncidentState } from '#spec/data';

const REGROUPABLE: readonly IncidentState[] = ['investigating', 'watching', 'needs_person'];

/** Nobody is asked to agree to anything and nothing is being done: what was found out is found out again for other alerts. */
export const isRegroupable = ({ state }: Pick<Incident, 'state'>): boolean => REGROUPABLE.includes(state);
