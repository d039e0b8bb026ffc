import type { Digest } from '#spec/api';
import { STAGES, type Stage } from '../../domains/digests/digest.ts';
import { useFormats, useText } from '../../domains/language/language.tsx';
import { Section } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import { histogram, placeOf, TICKS } from './histogram.ts';
import { NumberLink } from './number-link.tsx';
import { digestsText } from './text.ts';

/** How long each stage took: the middle, nine of ten, and how it is spread. */
export function Times({ times }: Pick<Digest, 'times'>) {
  const text = useText(digestsText);
  const formats = useFormats();
  const shown = (ms: number | undefined) => (ms === undefined ? '–' : formats.duration(ms));
  return (
    <Section title={text.times} actions={<span className="muted">{text.timesWhy}</span>} flush>
      <Table<Stage>
        label={text.times}
        items={STAGES}
        keyOf={(stage) => stage}
        columns={[
          {
            key: 'stage',
            title: text.what,
            cell: (stage) => (
              <>
                <strong>{text.stage[stage]}</strong>
                <div className="muted">{text.stageWhy[stage]}</div>
              </>
            ),
          },
          {
            key: 'count',
            title: text.count,
            number: true,
            cell: (stage) => {
              const count = times[stage].values.length;
              const label = text.show(text.stage[stage], String(count));
              return <NumberLink of={stage} count={count} label={label} />;
            },
          },
          {
            key: 'median',
            title: text.median,
            number: true,
            cell: (stage) => <strong className="nowrap">{shown(times[stage].median)}</strong>,
          },
          { key: 'p90', title: text.p90, number: true, cell: (stage) => shown(times[stage].p90) },
          {
            key: 'spread',
            title: text.spread,
            wide: true,
            cell: (stage) => <Spreading stage={stage} spread={times[stage]} />,
          },
        ]}
      />
    </Section>
  );
}

function Spreading({ stage, spread }: { readonly stage: Stage; readonly spread: Digest['times'][Stage] }) {
  const text = useText(digestsText);
  const formats = useFormats();
  const durations = spread.values.map(({ ms }) => ms);
  const [least, most] = [durations[0], durations.at(-1)];
  if (least === undefined || most === undefined) return <span className="muted">{text.noTimes}</span>;
  const bins = histogram(durations);
  const highest = Math.max(...bins);
  const told = text.spreadOf(
    text.stage[stage],
    durations.length,
    formats.duration(least),
    formats.duration(most),
  );
  const at = (ms: number) => ({ left: `${placeOf(ms) * 100}%` });
  return (
    <div className="digest-spread" role="img" aria-label={told} title={told}>
      <div className="digest-bins">
        {bins.map((count, index) => (
          // Bins have no other name than their place.
          // oxlint-disable-next-line react/no-array-index-key
          <i key={index} style={{ height: `${(count / highest) * 100}%` }} />
        ))}
        {spread.median === undefined ? null : <b style={at(spread.median)} />}
      </div>
      <div className="digest-ticks" aria-hidden="true">
        {TICKS.map((ms) => (
          <span key={ms} style={at(ms)}>
            {formats.duration(ms)}
          </span>
        ))}
      </div>
    </div>
  );
}
