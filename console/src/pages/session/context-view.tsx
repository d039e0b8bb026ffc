import { useFormats, useText } from '../../domains/language/language.tsx';
import type { Turn } from '../../domains/sessions/arrange-turns.ts';
import { shownCost } from '../../domains/sessions/cost.ts';
import { Section } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { ColumnChart } from './column-chart.tsx';
import { sessionText } from './text.ts';

/** How full the window was with every call, and what all of them cost. */
export function ContextView({ turns }: { readonly turns: readonly Turn[] }) {
  const { context: text, details } = useText(sessionText);
  const formats = useFormats();
  const calls = turns.flatMap(({ number, steps }) =>
    steps.flatMap(({ key, spent }) => (spent ? [{ key, turn: number, ...spent }] : [])),
  );
  const last = calls.at(-1);
  const titleOf = (index: number, turn: number, value: string) => `${text.call(index + 1, turn)}: ${value}`;
  let sum = 0;
  const costs = calls.map(({ key, turn, cost = 0 }, index) => {
    const before = sum;
    sum += cost;
    const parts = [
      { name: 'earlier', value: before },
      { name: 'now', value: cost },
    ];
    return { key, turn, parts, title: titleOf(index, turn, shownCost(sum)) };
  });
  if (!last) return <Empty title={text.none} />;
  const tokens = (value: number) => formats.number(value);
  const most = Math.max(...calls.map(({ context }) => context));
  return (
    <div className="stack-16">
      <Section
        title={text.title}
        actions={
          <span className="muted">
            {text.window(`${tokens(last.window)} ${text.tokensUnit}`)} ·{' '}
            {text.fills(formats.percent(last.context / Math.max(1, last.window)))}
          </span>
        }
      >
        <ColumnChart
          label={text.chart(calls.length, tokens(last.context), tokens(most))}
          columns={calls.map(({ key, turn, usage, context, window }, index) => ({
            key,
            turn,
            parts: [
              { name: 'cacheRead', value: usage.cacheRead },
              { name: 'cacheWrite', value: usage.cacheWrite },
              { name: 'input', value: usage.input },
            ],
            title: titleOf(
              index,
              turn,
              `${tokens(context)} ${text.tokensUnit}, ${details.ofWindow(formats.percent(context / Math.max(1, window)), tokens(window))}`,
            ),
          }))}
          ceiling={last.window}
          ceilingLabel={text.window(tokens(last.window))}
          show={tokens}
          axis={text.axis}
          legend={[
            { name: 'cacheRead', label: details.read },
            { name: 'cacheWrite', label: details.write },
            { name: 'input', label: details.fresh },
          ]}
        />
      </Section>
      <Section
        title={text.cost}
        actions={sum > 0 ? <span className="muted">{shownCost(sum)}</span> : undefined}
      >
        {sum > 0 ? (
          <ColumnChart
            label={text.chart(calls.length, shownCost(sum), shownCost(sum))}
            columns={costs}
            show={shownCost}
            axis={text.axis}
            legend={[
              { name: 'earlier', label: text.earlier },
              { name: 'now', label: text.now },
            ]}
          />
        ) : (
          <Empty title={text.noCost} />
        )}
      </Section>
    </div>
  );
}
