import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { useCommands } from '../../domains/keys/commands.tsx';
import { useLanguage, useText } from '../../domains/language/language.tsx';
import { memoryApi, memoryQueries } from '../../domains/memory/memory-api.ts';
import { useMay } from '../../domains/session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Cleanup } from './cleanup.tsx';
import { AddEntry } from './entry-actions.tsx';
import { Figures } from './figures.tsx';
import { Notebooks } from './notebooks.tsx';
import { Person } from './person.tsx';
import { scopeName } from './scope-name.ts';
import { Search } from './search.tsx';
import { memoryText } from './text.ts';
import { Waiting } from './waiting.tsx';
import './memory.css';

const TABS = ['search', 'notebooks', 'user', 'waiting'] as const;
type Tab = (typeof TABS)[number];

/** What Hermes keeps from one conversation to the next. What is looked at is part of the address. */
export default function MemoryPage() {
  const text = useText(memoryText);
  const { language } = useLanguage();
  const operator = useMay('operator');
  const admin = useMay('admin');
  const [params, setParams] = useSearchParams();
  const [asked, setAsked] = useState<'add' | 'cleanup'>();
  const overview = useQuery(memoryQueries.overview());
  const of = params.get('of') ?? overview.data?.place;
  const notebooks = useQuery({
    ...memoryQueries.notebooks(params.get('of') ?? undefined, language),
    placeholderData: (before) => before,
  });
  const get = (name: string) => params.get(name) ?? '';
  const set = (values: Readonly<Record<string, string | undefined>>) =>
    setParams(
      (before) => {
        for (const [name, value] of Object.entries(values))
          if (value) before.set(name, value);
          else before.delete(name);
        return before;
      },
      { replace: true },
    );
  const tab = TABS.find((each) => each === params.get('tab')) ?? 'search';
  const may = operator && of !== undefined;
  useCommands(
    may
      ? [{ id: 'remember', label: text.add, group: text.title, keys: 'c', run: () => setAsked('add') }]
      : [],
  );
  return (
    <Page
      title={text.title}
      actions={
        <div className="row">
          {admin ? (
            <>
              <a className="button" href={memoryApi.exportAddress} download>
                {text.export}
              </a>
              <Button onClick={() => setAsked('cleanup')}>{text.cleanup}</Button>
            </>
          ) : null}
          {may ? (
            <Button look="primary" onClick={() => setAsked('add')}>
              {text.add}
            </Button>
          ) : null}
        </div>
      }
    >
      <Loaded query={overview}>
        {(told) => (
          <>
            {told.enabled ? null : <div className="notice warn">{text.off}</div>}
            <Figures
              overview={told}
              notebooks={notebooks.data ?? []}
              onKind={(kind) => set({ tab: undefined, kind, q: undefined, entry: undefined })}
              aside={tab !== 'search'}
              onWaiting={() => set({ tab: 'waiting' })}
            />
            <Tabs<Tab>
              label={text.parts}
              value={tab}
              onChange={(value) => set({ tab: value === 'search' ? undefined : value })}
              tabs={[
                {
                  value: 'search',
                  label: text.tabs.search,
                  render: () => (
                    <Search
                      asked={{
                        q: get('q'),
                        kind: get('kind'),
                        scope: get('scope'),
                        state: get('state'),
                        entry: get('entry'),
                        page: get('page'),
                      }}
                      places={told.places}
                      set={set}
                    />
                  ),
                },
                {
                  value: 'notebooks',
                  label: text.tabs.notebooks,
                  render: () => (
                    <div className="stack">
                      <Whose places={told.places} of={of} onChoose={(value) => set({ of: value })} />
                      <Loaded query={notebooks}>
                        {(books) => <Notebooks key={of} notebooks={books} of={of} />}
                      </Loaded>
                    </div>
                  ),
                },
                {
                  value: 'user',
                  label: text.tabs.user,
                  render: () => (
                    <div className="stack">
                      <Whose
                        places={told.places.filter((place) => place.startsWith('person/'))}
                        of={of}
                        onChoose={(value) => set({ of: value })}
                      />
                      <Person of={of} />
                    </div>
                  ),
                },
                {
                  value: 'waiting',
                  label: told.waiting ? `${text.tabs.waiting} (${told.waiting})` : text.tabs.waiting,
                  render: () => <Waiting />,
                },
              ]}
            />
            {asked === 'add' && of !== undefined ? (
              <AddEntry
                of={of}
                onClose={() => setAsked(undefined)}
                onOpen={(entry) => set({ tab: undefined, entry })}
              />
            ) : null}
            {asked === 'cleanup' ? (
              <Cleanup days={told.retentionDays} onClose={() => setAsked(undefined)} />
            ) : null}
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** Whose notebooks, where there is a choice. */
function Whose(props: {
  readonly places: readonly string[];
  readonly of: string | undefined;
  readonly onChoose: (of: string) => void;
}) {
  const text = useText(memoryText);
  if (props.places.length < 2) return null;
  return (
    <div className="toolbar">
      <SelectField
        label={text.whose}
        value={props.of ?? ''}
        options={props.places.map((value) => ({ value, label: scopeName(value, text.scope) }))}
        onChange={(event) => props.onChoose(event.target.value)}
      />
    </div>
  );
}
