import { Link } from 'react-router';
import type { Session } from '#spec/data';
import { useFormats, useText } from '../../domains/language/language.tsx';
import { shownCost } from '../../domains/sessions/cost.ts';
import { sessionAddress } from '../../domains/sessions/session-address.ts';
import { Time } from '../../ui/time.tsx';
import type { GridColumn } from '../../ui/virtual-table.tsx';
import { sessionsText } from './text.ts';

export function useSessionColumns(): readonly GridColumn<Session>[] {
  const { columns: text, untitled } = useText(sessionsText);
  const formats = useFormats();
  return [
    {
      key: 'title',
      title: text.title,
      width: 'minmax(180px, 3fr)',
      cell: ({ id, title }) => (
        <div className="ellipsis">
          <Link to={sessionAddress(id)} title={title ?? id} tabIndex={-1}>
            {title || untitled}
          </Link>
        </div>
      ),
    },
    {
      key: 'who',
      title: text.who,
      width: 'minmax(110px, 1fr)',
      cell: ({ user, source, chat }) => (
        <div className="ellipsis" title={`${user} · ${source} · ${chat}`}>
          {user} <span className="muted">{source}</span>
        </div>
      ),
    },
    {
      key: 'model',
      title: text.model,
      width: 'minmax(110px, 1fr)',
      cell: ({ model }) => (
        <div className="ellipsis" title={model}>
          {model ?? '–'}
        </div>
      ),
    },
    {
      key: 'messages',
      title: text.messages,
      width: '72px',
      number: true,
      cell: ({ messages }) => formats.number(messages),
    },
    {
      key: 'tokens',
      title: text.tokens,
      width: '136px',
      number: true,
      cell: ({ usage }) =>
        `${formats.number(usage.input + usage.cacheRead + usage.cacheWrite)} / ${formats.number(usage.output)}`,
    },
    {
      key: 'cached',
      title: text.cached,
      width: '64px',
      number: true,
      cell: ({ usage: { input, cacheRead, cacheWrite } }) => {
        const read = input + cacheRead + cacheWrite;
        return read ? formats.percent(Math.round((cacheRead / read) * 100) / 100) : '–';
      },
    },
    { key: 'cost', title: text.cost, width: '72px', number: true, cell: ({ cost }) => shownCost(cost) },
    {
      key: 'when',
      title: text.when,
      width: '128px',
      number: true,
      cell: ({ updatedAt }) => <Time at={updatedAt} />,
    },
  ];
}
