import { useDeferredValue } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { useText } from '../../domains/language/language.tsx';
import { sessionAddress } from '../../domains/sessions/session-address.ts';
import { TextField } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { VirtualTable } from '../../ui/virtual-table.tsx';
import { FoundList } from './found-list.tsx';
import { useSessionColumns } from './session-columns.tsx';
import { sessionsText } from './text.ts';
import { useSessionList } from './use-session-list.ts';
import './sessions.css';

/** Every conversation that whoever looks may see, newest first. What is looked for is part of the address. */
export default function SessionsPage() {
  const text = useText(sessionsText);
  const [params, setParams] = useSearchParams();
  const named = params.get('text') ?? '';
  const words = params.get('q') ?? '';
  const asked = useDeferredValue(words);
  const shownName = useDeferredValue(named);
  const set = (name: string, value: string) =>
    setParams((before) => (value ? before.set(name, value) : before.delete(name), before), { replace: true });
  return (
    <Page title={text.title}>
      <div className="toolbar sessions-search" role="search">
        <TextField
          label={text.words}
          type="search"
          placeholder={text.wordsHint}
          value={words}
          onChange={(event) => set('q', event.target.value)}
        />
        <TextField
          label={text.named}
          type="search"
          value={named}
          onChange={(event) => set('text', event.target.value)}
        />
      </div>
      {asked.trim() ? <FoundList words={asked} /> : <List named={shownName} />}
    </Page>
  );
}

function List({ named }: { readonly named: string }) {
  const text = useText(sessionsText);
  const navigate = useNavigate();
  const columns = useSessionColumns();
  const { query, items, more, loadMore } = useSessionList(named);
  return (
    <>
      <section className="section" aria-label={text.list}>
        <Loaded query={query}>
          {() =>
            items.length ? (
              <VirtualTable
                label={text.list}
                columns={columns}
                items={items}
                keyOf={({ id }) => id}
                rowHeight={36}
                height="max(320px, calc(100dvh - 208px))"
                onOpen={({ id }) => void navigate(sessionAddress(id))}
                onEnd={loadMore}
              />
            ) : (
              <Empty title={named ? text.none : text.noneYet}>{text.noneWhy}</Empty>
            )
          }
        </Loaded>
      </section>
      <p className="muted" role="status">
        {query.data ? text.shown(items.length, more) : ''}
      </p>
    </>
  );
}
