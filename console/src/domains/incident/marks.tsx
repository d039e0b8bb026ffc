import type { IncidentState, IncidentSummary, Severity } from '#spec/data';
import { useText } from '../language/language.tsx';
import { Badge } from '../../ui/badge.tsx';
import { incidentWords } from './text.ts';
import { SEVERITY_TONE, STATE_TONE } from './tones.ts';

export function SeverityMark({ severity }: { readonly severity: Severity }) {
  const words = useText(incidentWords);
  return (
    <Badge tone={SEVERITY_TONE[severity]} strong title={words.severity[severity]}>
      {severity}
    </Badge>
  );
}

/** What caused it, in one word, once that is certain. */
export function CauseWord({ incident: { cause } }: { readonly incident: Pick<IncidentSummary, 'cause'> }) {
  const words = useText(incidentWords);
  return cause === undefined ? '–' : words.category[cause];
}

export function StateMark({ state }: { readonly state: IncidentState }) {
  return <Badge tone={STATE_TONE[state]}>{useText(incidentWords).state[state]}</Badge>;
}
