import { useDeferredValue, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { CLOSED_STATES, OPEN_STATES } from '../../domains/incident/tones.ts';
import { useCommands } from '../../domains/keys/commands.tsx';
import { useText } from '../../domains/language/language.tsx';
import { useMay } from '../../domains/session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { ComboboxField } from '../../ui/combobox.tsx';
import { DateRangeField } from '../../ui/date-range.tsx';
import { Choice, TextField } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { VirtualTable } from '../../ui/virtual-table.tsx';
import { CreateIncident } from './create-incident.tsx';
import { useIncidentColumns } from './incident-columns.tsx';
import { incidentsText } from './text.ts';
import { useIncidentList, useServices } from './use-incident-list.ts';
import './incidents.css';

const GROUPS = { open: OPEN_STATES, ended: CLOSED_STATES, all: undefined };
type Group = keyof typeof GROUPS;

/** Every incident, newest first. The filter is part of the address. */
export default function IncidentsPage() {
  const text = useText(incidentsText);
  const navigate = useNavigate();
  const may = useMay('operator');
  const [params, setParams] = useSearchParams();
  const [creating, setCreating] = useState(false);
  const group: Group = groupOf(params.get('show'));
  const set = (values: Readonly<Record<string, string>>) =>
    setParams(
      (before) => {
        for (const [name, value] of Object.entries(values))
          if (value) before.set(name, value);
          else before.delete(name);
        return before;
      },
      { replace: true },
    );
  const service = params.get('service') ?? '';
  const words = params.get('text') ?? '';
  const days = { from: params.get('from') ?? '', to: params.get('to') ?? '' };
  const { query, items, more, loadMore } = useIncidentList({
    states: useDeferredValue(GROUPS[group]),
    service: useDeferredValue(service),
    text: useDeferredValue(words),
    from: useDeferredValue(days.from),
    to: useDeferredValue(days.to),
  });
  const services = useServices(items);
  const columns = useIncidentColumns();
  useCommands(
    may
      ? [{ id: 'create', label: text.create, group: text.title, keys: 'c', run: () => setCreating(true) }]
      : [],
  );
  return (
    <Page
      title={text.title}
      actions={
        may ? (
          <Button look="primary" onClick={() => setCreating(true)}>
            {text.create}
          </Button>
        ) : undefined
      }
    >
      <div className="toolbar" role="search">
        <Choice<Group>
          label={text.which}
          options={[
            { value: 'open', label: text.open },
            { value: 'ended', label: text.ended },
            { value: 'all', label: text.all },
          ]}
          value={group}
          onChange={(value) => set({ show: value })}
        />
        <TextField
          label={text.text}
          type="search"
          value={words}
          onChange={(event) => set({ text: event.target.value })}
        />
        <ComboboxField
          label={text.service}
          placeholder={text.anyService}
          options={services}
          value={service}
          onChange={(value) => set({ service: value })}
        />
        <DateRangeField label={text.when} value={days} onChange={(range) => set({ ...range })} />
      </div>
      <section className="section incident-list" aria-label={text.list}>
        <Loaded query={query}>
          {() =>
            items.length ? (
              <VirtualTable
                label={text.list}
                columns={columns}
                items={items}
                keyOf={({ id }) => id}
                rowHeight={40}
                height="max(320px, calc(100dvh - 208px))"
                onOpen={({ id }) => void navigate(`/incidents/${encodeURIComponent(id)}`)}
                onEnd={loadMore}
              />
            ) : (
              <Empty
                title={
                  group === 'open' && !words && !service && !days.from && !days.to ? text.noneOpen : text.none
                }
              >
                {text.noneWhy}
              </Empty>
            )
          }
        </Loaded>
      </section>
      <p className="muted" role="status">
        {query.data ? text.shown(items.length, more) : ''}
      </p>
      {creating ? (
        <CreateIncident
          onClose={() => setCreating(false)}
          onMade={(id) => void navigate(`/incidents/${encodeURIComponent(id)}`)}
        />
      ) : null}
    </Page>
  );
}

const groupOf = (value: string | null): Group => (value === 'ended' || value === 'all' ? value : 'open');
