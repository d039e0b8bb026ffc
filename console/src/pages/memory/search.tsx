import type { FoundEntry } from '#spec/api';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import type { MemoryKind, MemoryState } from '#spec/data';
import { useText } from '../../domains/language/language.tsx';
import { memoryQueries } from '../../domains/memory/memory-api.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { classes } from '../../ui/classes.ts';
import { Choice, SelectField, TextField } from '../../ui/field.tsx';
import { Meter } from '../../ui/meter.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { type GridColumn, VirtualTable } from '../../ui/virtual-table.tsx';
import { ScoreBar } from './bars.tsx';
import { EntryPanel } from './entry-panel.tsx';
import { scopeName } from './scope-name.ts';
import { memoryText } from './text.ts';

/** The next one is asked for when somebody wants more than the one before. */
const PAGES = [200, 1_000, 10_000];
const HITS = 50;
const STATES: readonly MemoryState[] = ['active', 'replaced', 'forgotten'];

export interface SearchState {
  readonly q: string;
  readonly kind: string;
  readonly scope: string;
  readonly state: string;
  readonly entry: string;
  readonly page: string;
}

/** Long-term memory: all of it, newest first, or what tells about some words, best first and why. */
export function Search(props: {
  readonly asked: SearchState;
  readonly places: readonly string[];
  readonly set: (values: Partial<SearchState>) => void;
}) {
  const { asked, places, set } = props;
  const text = useText(memoryText);
  const state = STATES.find((each) => each === asked.state) ?? 'active';
  const kinds = Object.keys(text.kinds) as MemoryKind[];
  const kind = kinds.find((each) => each === asked.kind);
  const page = Number(asked.page) || 0;
  const q = useDeferredValue(asked.q.trim());
  const ranked = q !== '' && state === 'active';
  const limit = ranked ? HITS : (PAGES[page] ?? PAGES[0] ?? HITS);
  const query = useQuery({
    ...memoryQueries.entries({
      limit,
      state,
      ...(q ? { q } : {}),
      ...(kind ? { kind } : {}),
      ...(asked.scope ? { scope: asked.scope } : {}),
    }),
    placeholderData: (before) => before,
  });
  const found = query.data ?? [];
  const columns = useColumns(Math.max(...found.map(({ score = 0 }) => score), 0));
  const chosen = found.find(({ entry }) => entry.id === asked.entry);
  return (
    <div className="stack">
      <div className="toolbar memory-toolbar" role="search">
        <TextField
          label={text.search.label}
          type="search"
          placeholder={text.search.hint}
          value={asked.q}
          onChange={(event) => set({ q: event.target.value, entry: '' })}
        />
        <SelectField
          label={text.search.kind}
          value={asked.kind}
          options={[
            { value: '', label: text.search.anyKind },
            ...kinds.map((value) => ({ value, label: text.kinds[value] })),
          ]}
          onChange={(event) => set({ kind: event.target.value })}
        />
        <SelectField
          label={text.search.scope}
          value={asked.scope}
          options={[
            { value: '', label: text.search.anyScope },
            ...['team', ...places].map((value) => ({ value, label: scopeName(value, text.scope) })),
          ]}
          onChange={(event) => set({ scope: event.target.value })}
        />
        <Choice<MemoryState>
          label={text.search.state}
          options={STATES.map((value) => ({ value, label: text.states[value] }))}
          value={state}
          onChange={(value) => set({ state: value === 'active' ? '' : value })}
        />
      </div>
      {q && state !== 'active' ? <p className="muted">{text.search.wordsOnly}</p> : null}
      <div className="memory-split">
        <section className={classes('section memory-grid', ranked && 'ranked')} aria-label={text.search.list}>
          <Loaded query={query}>
            {() =>
              found.length ? (
                <VirtualTable
                  label={text.search.list}
                  columns={ranked ? columns.ranked : columns.listed}
                  items={found}
                  keyOf={({ entry }) => entry.id}
                  rowHeight={44}
                  height={`min(${found.length * 44 + 34}px, max(320px, calc(100dvh - 200px)))`}
                  onOpen={({ entry }) => set({ entry: entry.id })}
                />
              ) : (
                <Empty title={text.search.none}>{text.search.noneWhy}</Empty>
              )
            }
          </Loaded>
          <footer className="row spread">
            <span className="muted" role="status">
              {query.data ? text.search.shown(found.length, found.length === limit) : ''}
            </span>
            {!ranked && found.length === limit && page < PAGES.length - 1 ? (
              <Button small onClick={() => set({ page: String(page + 1) })}>
                {text.search.more}
              </Button>
            ) : null}
          </footer>
        </section>
        <EntryPanel
          id={asked.entry}
          found={chosen}
          onOpen={(entry) => set({ entry })}
          onGone={() => set({ entry: '' })}
        />
      </div>
    </div>
  );
}

function useColumns(best: number): Readonly<Record<'ranked' | 'listed', readonly GridColumn<FoundEntry>[]>> {
  const text = useText(memoryText);
  const entry: GridColumn<FoundEntry> = {
    key: 'entry',
    title: text.search.entry,
    width: 'minmax(160px, 3fr)',
    cell: ({ entry: { text: said, key } }) => (
      <div className="entry-line" title={said}>
        {key ? <code className="muted">{key} </code> : null}
        {said}
      </div>
    ),
  };
  const kind: GridColumn<FoundEntry> = {
    key: 'kind',
    title: text.search.kind,
    width: '112px',
    cell: ({ entry: { kind: of } }) => <Badge>{text.kinds[of]}</Badge>,
  };
  const trust: GridColumn<FoundEntry> = {
    key: 'trust',
    title: text.search.trust,
    width: '84px',
    cell: ({ entry: { trust: value } }) => (
      <span className="trust">
        <Meter value={value} most={1} tone={value < 0.4 ? 'warn' : 'quiet'} />
        <span className="num">{value.toFixed(2)}</span>
      </span>
    ),
  };
  return {
    ranked: [
      {
        key: 'score',
        title: text.search.score,
        width: 'minmax(110px, 1fr)',
        cell: ({ score = 0, shares = {} }) => (
          <span className="score">
            <ScoreBar shares={shares} score={score} most={best} />
            <span className="num">{score.toFixed(2)}</span>
          </span>
        ),
      },
      entry,
      kind,
      trust,
    ],
    listed: [
      entry,
      kind,
      trust,
      {
        key: 'used',
        title: text.search.used,
        width: '44px',
        number: true,
        cell: ({ entry: { accesses } }) => `×${accesses}`,
      },
      {
        key: 'said',
        title: text.search.said,
        width: '76px',
        number: true,
        cell: ({ entry: { at } }) => <Time at={at} ago />,
      },
    ],
  };
}
