import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { queries } from '../../domains/api/queries.ts';
import { HEALTH_TONE } from '../../domains/incident/tones.ts';
import { useFormats, useText } from '../../domains/language/language.tsx';
import { telemetryText } from '../../domains/telemetry/text.ts';
import { Dot } from '../../ui/badge.tsx';
import { Section } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { overviewText } from './text.ts';

const MINUTES = 15;

/** Every service in one line. */
export function HealthStrip() {
  const text = useText(overviewText);
  const words = useText(telemetryText);
  const formats = useFormats();
  const query = useQuery(queries.monitoring(MINUTES));
  return (
    <Section title={text.health} count={query.data?.services.length} flush>
      <Loaded query={query}>
        {({ services }) =>
          services.length ? (
            <ul className="health-strip">
              {services.map(({ service, health, errorRatio, p95Ms }) => (
                <li key={service}>
                  <Dot tone={HEALTH_TONE[health]} label={words.health[health]} />
                  <Link to={`/monitoring?service=${encodeURIComponent(service)}`} className="ellipsis">
                    {service}
                  </Link>
                  <span className="num muted">
                    {errorRatio === undefined ? '–' : formats.percent(errorRatio)}
                  </span>
                  <span className="num muted">
                    {p95Ms === undefined ? '–' : formats.quantity(p95Ms, 'ms')}
                  </span>
                </li>
              ))}
            </ul>
          ) : (
            <Empty title={text.noHealth} />
          )
        }
      </Loaded>
    </Section>
  );
}
