import type { Digest } from '#spec/api';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { digestMarkdownAddress, digestQuery } from '../../domains/digests/digests-api.ts';
import { incidentWords } from '../../domains/incident/text.ts';
import { useCommands } from '../../domains/keys/commands.tsx';
import { useFormats, useLanguage, useText } from '../../domains/language/language.tsx';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/field.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { countTop, durationTop } from './axis-top.ts';
import { BehindDialog } from './behind-dialog.tsx';
import { Columns } from './columns.tsx';
import { Counted } from './counted.tsx';
import { Figures } from './figures.tsx';
import { Learned } from './learned.tsx';
import { besides, type Span, spanAt, type SpanKind, SPANS } from './span.ts';
import { FailedActions, Loudest } from './tables.tsx';
import { digestsText } from './text.ts';
import { Times } from './times.tsx';
import './digests.css';

/** What happened in a day, a week or a month, and what came of it. */
export default function DigestsPage() {
  const text = useText(digestsText);
  const { language } = useLanguage();
  const [params, setParams] = useSearchParams();
  const kind = SPANS.find((each) => each === params.get('span')) ?? 'week';
  const day = params.get('day');
  const span = useMemo(() => spanAt(kind, day, new Date()), [kind, day]);
  const query = useQuery({ ...digestQuery(span), placeholderData: (before) => before });
  const go = (nextKind: SpanKind, next?: Span) =>
    setParams({ span: nextKind, ...(next ? { day: next.day } : {}) }, { replace: true });
  const step = (by: -1 | 1) => go(kind, besides(kind, span, by));
  const over = span.to <= Date.now();
  useCommands([
    { id: 'digest-before', label: text.before, group: text.title, keys: '[', run: () => step(-1) },
    {
      id: 'digest-after',
      label: text.after,
      group: text.title,
      keys: ']',
      run: () => (over ? step(1) : undefined),
    },
  ]);
  const of = params.get('of');
  const close = () =>
    setParams((before) => (before.delete('of'), before), { replace: true, preventScrollReset: true });
  return (
    <Page
      title={text.title}
      mark={<SpanName span={span} />}
      actions={
        <div className="toolbar">
          <Choice
            label={text.span}
            options={SPANS.map((value) => ({ value, label: text.spans[value] }))}
            value={kind}
            onChange={(next) => go(next, span)}
          />
          <Tooltip text={text.before} keys="[">
            <Button onClick={() => step(-1)} aria-label={text.before}>
              ←
            </Button>
          </Tooltip>
          <Tooltip text={text.after} keys="]">
            <Button onClick={() => step(1)} disabled={!over} aria-label={text.after}>
              →
            </Button>
          </Tooltip>
          <Button onClick={() => go(kind)} disabled={!over}>
            {text.now}
          </Button>
          <a className="button" href={digestMarkdownAddress(span, language)} download>
            {text.markdown}
          </a>
        </div>
      }
    >
      <Loaded query={query}>
        {(digest) => (
          <>
            <Content digest={digest} />
            {of === null ? null : <BehindDialog digest={digest} of={of} onClose={close} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** The days that it is about, in the words of the calendar. */
function SpanName({ span: { from, to } }: { readonly span: Span }) {
  return <span className="muted">{useFormats().days(from, to - 1)}</span>;
}

function Content({ digest }: { readonly digest: Digest }) {
  const text = useText(digestsText);
  const words = useText(incidentWords);
  if (digest.incidents.length === 0 && digest.learned.edits.length === 0)
    return (
      <Section title={text.overTime}>
        <Empty title={text.nothing}>{text.nothingWhy}</Empty>
      </Section>
    );
  return (
    <>
      {digest.cut ? <div className="notice warn">{text.cut(digest.incidents.length)}</div> : null}
      <Figures digest={digest} />
      <OverTime digest={digest} />
      <Times times={digest.times} />
      <div className="digest-pair">
        <Counted
          title={text.services}
          empty={text.nothing}
          show={text.show}
          items={digest.services.map(({ service, incidents }) => ({
            key: service,
            of: `service:${service}`,
            name: service || text.noService,
            label: service || text.noService,
            count: incidents.length,
          }))}
        />
        <Counted
          title={text.causes}
          empty={text.nothing}
          show={text.show}
          items={digest.causes.map(({ cause, incidents }) => {
            const name = cause === 'unknown' ? text.unknownCause : words.category[cause];
            return { key: cause, of: `cause:${cause}`, name, label: name, count: incidents.length };
          })}
        />
        <Counted
          title={text.done}
          empty={text.noneDone}
          show={text.show}
          items={digest.done.map(({ operation, incidents, recovered, notRecovered }) => ({
            key: operation,
            of: `done:${operation}`,
            name: words.operation[operation],
            label: words.operation[operation],
            count: incidents.length,
            good: recovered.length,
            bad: notRecovered.length,
            note: text.doneWhy(recovered.length, notRecovered.length),
          }))}
        />
        <Counted
          title={text.repeated}
          empty={text.noneRepeated}
          show={text.show}
          items={digest.repeated.map(({ service, cause, incidents }, index) => {
            const label = `${service || text.noService} · ${words.category[cause]}`;
            return { key: label, of: `repeated:${index}`, name: label, label, count: incidents.length };
          })}
        />
      </div>
      <FailedActions digest={digest} />
      <div className="digest-pair">
        <Loudest digest={digest} />
        <Learned learned={digest.learned} />
      </div>
    </>
  );
}

function OverTime({ digest: { buckets } }: { readonly digest: Digest }) {
  const text = useText(digestsText);
  const formats = useFormats();
  const [first] = buckets;
  const step = first ? (first.end - first.start) / 1000 : 0;
  const label = (start: number) => formats.axisTime(start / 1000, step >= 80_000 ? 86_400 : 3_600);
  const whole = (value: number) => formats.number(value);
  return (
    <Section title={text.overTime}>
      <div className="digest-charts">
        <Columns
          title={text.openedEnded}
          show={whole}
          top={countTop}
          labels={7}
          told={text.at}
          columns={buckets.map(({ start, opened, ended }) => ({
            key: start,
            label: label(start),
            parts: [
              { name: text.opened, value: opened.length, series: 1, of: `opened:${start}` },
              { name: text.ended, value: ended.length, series: 2, of: `ended:${start}` },
            ],
          }))}
        />
        <Columns
          title={text.alerts}
          show={whole}
          top={countTop}
          labels={4}
          told={text.at}
          columns={buckets.map(({ start, alerts }) => ({
            key: start,
            label: label(start),
            parts: [{ name: text.alerts, value: alerts, series: 1, of: `opened:${start}` }],
          }))}
        />
        <Columns
          title={text.recoverOverTime}
          show={formats.duration}
          top={durationTop}
          labels={4}
          told={text.at}
          columns={buckets.map(({ start, recoverMs }) => ({
            key: start,
            label: label(start),
            parts: [{ name: text.stage.recover, value: recoverMs, series: 1 }],
          }))}
        />
      </div>
    </Section>
  );
}
