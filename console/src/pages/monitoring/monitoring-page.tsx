import type { Monitoring } from '#spec/api';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { queries } from '../../domains/api/queries.ts';
import { useLanguage, useText } from '../../domains/language/language.tsx';
import { telemetryText } from '../../domains/telemetry/text.ts';
import { Chart } from '../../ui/chart.tsx';
import { ComboboxField } from '../../ui/combobox.tsx';
import { Choice } from '../../ui/field.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { ChangesTable } from './changes-table.tsx';
import { Details } from './details.tsx';
import { groupSeries } from './group-series.ts';
import { HealthMatrix } from './health-matrix.tsx';
import { monitoringText } from './text.ts';
import { SeriesQueries } from './series-queries.tsx';
import { TopologyGraph } from './topology-graph.tsx';
import './monitoring.css';

const WINDOWS = [5, 15, 60, 180];
const USUAL = 15;
const seconds = (instant: string | number) => new Date(instant).getTime() / 1000;

export default function MonitoringPage() {
  const text = useText(monitoringText);
  const { language } = useLanguage();
  const [params, setParams] = useSearchParams();
  const asked = Number(params.get('minutes'));
  const minutes = WINDOWS.includes(asked) ? asked : USUAL;
  const service = params.get('service') ?? '';
  const query = useQuery({ ...queries.monitoring(minutes), placeholderData: (before) => before });
  const set = (name: string, value: string) =>
    setParams((before) => (value ? before.set(name, value) : before.delete(name), before), { replace: true });
  const services = query.data?.services.map((each) => each.service) ?? [];
  return (
    <Page
      title={text.title}
      actions={
        <div className="toolbar">
          <ComboboxField
            label={text.service}
            placeholder={text.anyService}
            options={services}
            value={service}
            onChange={(value) => set('service', value)}
          />
          <Choice
            label={text.window}
            options={WINDOWS.map((value) => ({ value: String(value), label: text.minutes(value) }))}
            value={String(minutes)}
            onChange={(value) => set('minutes', value)}
          />
        </div>
      }
    >
      <Loaded query={query}>
        {(data) =>
          data.services.length || data.series.length ? (
            <>
              {data.gaps.length ? (
                <div className="notice warn">
                  <strong>{text.gaps}:</strong> {data.gaps.map((gap) => gap[language]).join('; ')}
                </div>
              ) : null}
              <div className="monitoring-top">
                <HealthMatrix
                  services={data.services}
                  chosen={service}
                  onChoose={(name) => set('service', name === service ? '' : name)}
                />
                <TopologyGraph data={data} />
              </div>
              <Signals data={data} service={service} />
              <ChangesTable changes={data.changes} />
              <Details service={service} minutes={minutes} />
            </>
          ) : (
            <Section title={text.services}>
              <Empty title={text.noServices}>
                {data.gaps.map((gap) => gap[language]).join('; ') || text.noServicesWhy}
              </Empty>
            </Section>
          )
        }
      </Loaded>
    </Page>
  );
}

/** One chart for each signal, all over the same time, with incidents shaded and changes marked. */
function Signals({ data, service }: { readonly data: Monitoring; readonly service: string }) {
  const text = useText(monitoringText);
  const { change: kinds } = useText(telemetryText);
  const { series, changes, window } = data;
  const incidents = useQuery(queries.incidents({ limit: 50 }));
  const charts = useMemo(() => groupSeries(series, service), [series, service]);
  const range = { start: seconds(window.start), end: seconds(window.end) };
  const windows = useMemo(
    () =>
      (incidents.data ?? []).map(({ startsAt, closedAt }) => ({
        start: seconds(startsAt),
        end: closedAt === undefined ? seconds(window.end) : closedAt / 1000,
      })),
    [incidents.data, window.end],
  );
  const markers = useMemo(
    () =>
      changes
        .filter((change) => !service || change.service === undefined || change.service === service)
        .map(({ time, kind, service: of = '' }) => ({ time: seconds(time), label: `${kinds[kind]} ${of}` })),
    [changes, service, kinds],
  );
  if (!charts.length) return null;
  return (
    <Section title={text.chartsTitle} actions={<span className="muted">{text.shaded}</span>}>
      <div className="charts">
        {charts.map(({ signal, unit, metrics, series: lines }) => (
          <div key={signal}>
            <Chart
              title={text.charts[signal]}
              series={lines}
              unit={unit}
              windows={windows}
              markers={markers}
              range={range}
              height={190}
              sync="monitoring"
            />
            <SeriesQueries queries={data.queries} metrics={metrics} />
          </div>
        ))}
      </div>
    </Section>
  );
}
