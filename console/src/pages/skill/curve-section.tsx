import type { SkillPage } from '#spec/api';
import { useMemo } from 'react';
import { useText } from '../../domains/language/language.tsx';
import { Chart } from '../../ui/chart.tsx';
import { Section } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { skillText } from './text.ts';
import { usesByDay } from './uses-by-day.ts';

const SHOWN_DAYS = 14;
const DAY_S = 86_400;

/** How it does over time, with the moments at which its text became another. */
export function CurveSection({ page: { uses, versions } }: { readonly page: SkillPage }) {
  const { curve: text } = useText(skillText);
  const days = useMemo(() => usesByDay(uses), [uses]);
  const markers = useMemo(
    () => versions.map(({ at, version }) => ({ time: at / 1000, label: version })),
    [versions],
  );
  const range = useMemo(() => {
    const end = Math.max(Date.now(), ...uses.map(({ at }) => at)) / 1000;
    return { start: end - SHOWN_DAYS * DAY_S, end };
  }, [uses]);
  const line = (label: string, value: (day: (typeof days)[number]) => number, color?: string) => ({
    label,
    // The day before the first stands there empty: one moment alone makes no axis.
    times: [(days[0]?.time ?? 0) - DAY_S, ...days.map(({ time }) => time)],
    values: [null, ...days.map(value)],
    ...(color === undefined ? {} : { color }),
  });
  return (
    <Section title={text.title}>
      {days.length ? (
        <div className="curves">
          <Chart
            title={text.perDay}
            unit=""
            sync="skill"
            range={range}
            markers={markers}
            series={[line(text.good, ({ good }) => good, 'ok'), line(text.bad, ({ bad }) => bad, 'bad')]}
          />
          <Chart
            title={text.rate}
            unit="ratio"
            sync="skill"
            range={range}
            markers={markers}
            series={[line(text.rateLabel, ({ good, bad }) => good / (good + bad))]}
          />
          <Chart
            title={text.calls}
            unit=""
            sync="skill"
            range={range}
            markers={markers}
            series={[line(text.callsLabel, ({ calls }) => calls)]}
          />
        </div>
      ) : (
        <Empty title={text.none}>{text.noneWhy}</Empty>
      )}
    </Section>
  );
}
