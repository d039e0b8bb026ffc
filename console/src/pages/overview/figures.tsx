import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { IncidentSummary } from '#spec/data';
import { queries } from '../../domains/api/queries.ts';
import { OPEN_COUNTED } from '../../domains/incident/tones.ts';
import { useFormats, useText } from '../../domains/language/language.tsx';
import { useWaiting } from '../../domains/requests/use-waiting.ts';
import { classes, type Tone } from '../../ui/classes.ts';
import { useNow } from '../../ui/time.tsx';
import { medianToRecover } from './median-to-recover.ts';
import { overviewText } from './text.ts';

/** So many ended incidents are counted; more than that are told as `50+`. */
export const ENDED_COUNTED = 50;
const DAY_MS = 86_400_000;
const MINUTES = 15;

/** The state of things in five numbers. */
export function Figures(props: {
  readonly open: readonly IncidentSummary[] | undefined;
  readonly ended: readonly IncidentSummary[] | undefined;
}) {
  const text = useText(overviewText);
  const formats = useFormats();
  const now = useNow(60_000);
  const monitoring = useQuery(queries.monitoring(MINUTES));
  const { count: waiting } = useWaiting();
  const services = monitoring.data?.services;
  const unhealthy = services?.filter(({ health }) => health === 'bad' || health === 'warn').length;
  const median = medianToRecover(props.ended ?? []);
  const last = props.ended?.filter(
    ({ closedAt, updatedAt }) => now - (closedAt ?? updatedAt) < DAY_MS,
  ).length;
  return (
    <div className="numbers">
      <Figure title={text.open} value={props.open?.length} most={OPEN_COUNTED} to="/incidents" tone="bad" />
      <Figure title={text.waiting} value={waiting} to="/approvals" tone="warn" />
      <Figure title={text.unhealthy} value={unhealthy} to="/monitoring" tone="bad" />
      <Figure title={text.closed} value={last} most={ENDED_COUNTED} to="/incidents?show=ended" />
      <Figure title={text.median} value={median === undefined ? undefined : formats.duration(median)} />
    </div>
  );
}

function Figure(props: {
  readonly title: string;
  readonly value: number | string | undefined;
  /** From here on nobody counted. */
  readonly most?: number;
  readonly to?: string;
  /** Where there are any. */
  readonly tone?: Tone;
}) {
  const { title, value, most, to, tone } = props;
  const content = (
    <>
      <span className="muted">{title}</span>
      <strong className={classes('figure', typeof value === 'number' && value > 0 && tone && `tone-${tone}`)}>
        {value !== undefined && value === most ? `${most}+` : (value ?? '–')}
      </strong>
    </>
  );
  return to === undefined ? (
    <div className="number">{content}</div>
  ) : (
    <Link className="number" to={to}>
      {content}
    </Link>
  );
}
