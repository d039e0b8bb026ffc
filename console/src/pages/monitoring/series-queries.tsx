import type { SeriesQuery } from '#spec/api';
import { useText } from '../../domains/language/language.tsx';
import { Copy } from '../../ui/copy.tsx';
import { OutLink } from '../../ui/link.tsx';
import { Popover } from '../../ui/popover.tsx';
import { monitoringText } from './text.ts';

/** Where the numbers of a chart come from: what to ask to see the same. */
export function SeriesQueries(props: {
  readonly queries: readonly SeriesQuery[];
  readonly metrics: readonly string[];
}) {
  const text = useText(monitoringText);
  const asked = props.queries.filter(({ gives }) => gives.some((name) => props.metrics.includes(name)));
  if (!asked.length) return null;
  return (
    <Popover
      className="button plain small opens"
      trigger={text.queries(asked.length)}
      label={text.queries(asked.length)}
    >
      <ul className="stack">
        {asked.map(({ source, query, link }) => (
          <li key={`${source} ${query}`} className="row">
            <OutLink to={link}>{source}</OutLink>
            <code className="wrap">{query}</code>
            <Copy text={() => query} />
          </li>
        ))}
      </ul>
    </Popover>
  );
}
