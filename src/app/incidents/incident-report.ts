import { postMortem } from '#engines/aiops';
import type { Language } from '#kit/language';
import type { Incident } from '#spec/data';
import type { EvidenceArchive, IncidentGroups, IncidentStore } from '#spec/ports';

const MOST_FACTS = 5_000;

/** The post-mortem of an incident, with the charts of what was measured. */
export const incidentReport = async (
  incident: Incident,
  { store, archive }: { readonly store: IncidentStore & IncidentGroups; readonly archive: EvidenceArchive },
  language: Language,
): Promise<{ readonly markdown: string; readonly html: string }> =>
  postMortem({
    incident,
    facts: await store.facts(incident.id, 0, MOST_FACTS),
    alerts: await store.alerts(incident.id),
    members: await store.members(incident.id),
    results: await archive.results(incident.id, incident.round),
    language,
  });
