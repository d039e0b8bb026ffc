import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { queries } from '../../domains/api/queries.ts';
import { spoken } from '#kit/text';
import type { IncidentPage as IncidentData } from '#spec/api';
import type { Incident, IncidentFact, IncidentMember } from '../../domains/incident/records.ts';
import { SeverityMark, StateMark } from '../../domains/incident/marks.tsx';
import { useLanguage, useText } from '../../domains/language/language.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Json } from '../../ui/json.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { ErrorNote, Loading } from '../../ui/states.tsx';
import { ActionSection } from './action-section.tsx';
import { CausalSection } from './causal-section.tsx';
import { EvidenceSection } from './evidence-section.tsx';
import { Hypotheses } from './hypotheses.tsx';
import { IncidentActions } from './incident-actions.tsx';
import { Learned, Priors } from './learned.tsx';
import { Members } from './members.tsx';
import { RecoverySection } from './recovery-section.tsx';
import { Summary } from './summary.tsx';
import { incidentText } from './text.ts';
import { Alerts, Timeline } from './timeline.tsx';
import './incident.css';

export default function IncidentPage() {
  const { id = '' } = useParams();
  const text = useText(incidentText);
  const { language } = useLanguage();
  const { data, error, refetch } = useQuery(queries.incident(id));
  if (data)
    return (
      <Content
        alerts={data.alerts}
        incident={spoken(data.incident, language)}
        facts={spoken(data.facts, language)}
        members={spoken(data.members, language)}
        raw={data}
      />
    );
  return (
    <Page title={text.group}>
      {error ? <ErrorNote error={error} again={() => void refetch()} /> : <Loading />}
    </Page>
  );
}

/** `raw`: as it was recorded, in every language. */
function Content({
  incident,
  alerts,
  facts,
  members,
  raw,
}: Pick<IncidentData, 'alerts'> & {
  readonly incident: Incident;
  readonly facts: readonly IncidentFact[];
  readonly members: readonly IncidentMember[];
  readonly raw: IncidentData;
}) {
  const text = useText(incidentText);
  return (
    <Page
      title={incident.title}
      mark={
        <>
          <SeverityMark severity={incident.severity} />
          <StateMark state={incident.state} />
          {incident.kind === 'storm' ? <Badge tone="warn">{text.storm}</Badge> : null}
        </>
      }
      actions={<IncidentActions incident={incident} />}
    >
      <nav className="muted crumbs" aria-label={text.incidents}>
        <Link to="/incidents">{text.incidents}</Link> / <code>{incident.id}</code>
      </nav>
      <div className="incident">
        <div className="stack-16">
          <Summary incident={incident} facts={facts} />
          <ActionSection incident={incident} />
          <RecoverySection incident={incident} />
          <Hypotheses incident={incident} />
          <Members incident={incident} members={members} />
          <CausalSection incident={incident} alerts={alerts} />
          <EvidenceSection incident={incident} />
          <Priors incident={incident} />
          <Learned incident={incident} />
        </div>
        <div className="stack-16">
          <Timeline facts={facts} />
          <Alerts alerts={alerts} />
        </div>
      </div>
      <Section title={text.raw}>
        <Json value={raw} />
      </Section>
    </Page>
  );
}
