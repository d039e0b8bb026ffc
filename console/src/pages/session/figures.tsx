import type { ReactNode } from 'react';
import type { Session } from '#spec/data';
import { useFormats, useText } from '../../domains/language/language.tsx';
import type { Turn } from '../../domains/sessions/arrange-turns.ts';
import { shownCost } from '../../domains/sessions/cost.ts';
import { Time } from '../../ui/time.tsx';
import { sessionText } from './text.ts';

/** The whole conversation in one line of numbers. */
export function Figures(props: { readonly session: Session; readonly turns: readonly Turn[] | undefined }) {
  const { session, turns } = props;
  const { figures: text, unknown } = useText(sessionText);
  const formats = useFormats();
  const { usage } = session;
  const read = usage.input + usage.cacheRead + usage.cacheWrite;
  const priced = session.cost > 0 || turns?.some(({ cost }) => cost !== undefined);
  const items: readonly (readonly [string, ReactNode])[] = [
    [text.who, `${session.user} · ${session.source}`],
    [text.model, session.model ?? unknown],
    [text.turns, turns ? formats.number(turns.filter(({ number }) => number > 0).length) : unknown],
    [text.messages, formats.number(session.messages)],
    [text.read, formats.number(read)],
    [text.cached, read ? formats.percent(Math.round((usage.cacheRead / read) * 100) / 100) : unknown],
    [text.written, formats.number(usage.output)],
    [text.cost, priced ? shownCost(session.cost) : unknown],
    [text.began, <Time key="began" at={session.createdAt} />],
    [text.folder, session.cwd ?? unknown],
  ];
  return (
    <section className="section" aria-label={text.label}>
      <dl className="session-figures">
        {items.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
