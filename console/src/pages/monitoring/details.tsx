import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { queries } from '../../domains/api/queries.ts';
import { useText } from '../../domains/language/language.tsx';
import { LogLines } from '../../domains/telemetry/log-lines.tsx';
import { Traces } from '../../domains/telemetry/traces.tsx';
import { Choice, TextField } from '../../ui/field.tsx';
import { Section } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { monitoringText } from './text.ts';

const MOST_LINES = 500;
type Part = 'logs' | 'traces';

interface Asked {
  readonly service: string;
  readonly minutes: number;
}

/** Logs and traces of the window above. */
export function Details(asked: Asked) {
  const text = useText(monitoringText);
  const [part, setPart] = useState<Part>('logs');
  return (
    <Section title={text.details}>
      <Tabs<Part>
        label={text.details}
        value={part}
        onChange={setPart}
        tabs={[
          { value: 'logs', label: text.logs, render: () => <Logs {...asked} /> },
          { value: 'traces', label: text.traces, render: () => <AllTraces {...asked} /> },
        ]}
      />
    </Section>
  );
}

const ofService = (service: string) => (service ? { service } : {});

function Logs({ service, minutes }: Asked) {
  const text = useText(monitoringText);
  const [typed, setTyped] = useState('');
  const words = useDeferredValue(typed.trim());
  const query = useQuery({
    ...queries.logs({ ...ofService(service), ...(words ? { text: words } : {}), minutes, limit: MOST_LINES }),
    placeholderData: (before) => before,
  });
  return (
    <div className="stack">
      <div className="toolbar">
        <TextField
          label={text.text}
          type="search"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </div>
      <Loaded query={query}>
        {(lines) => (lines.length ? <LogLines lines={lines} most={200} /> : <Empty title={text.noLogs} />)}
      </Loaded>
    </div>
  );
}

function AllTraces({ service, minutes }: Asked) {
  const text = useText(monitoringText);
  const [which, setWhich] = useState<'errors' | 'all'>('errors');
  const query = useQuery({
    ...queries.traces({ ...ofService(service), minutes, ...(which === 'errors' ? { errors: true } : {}) }),
    placeholderData: (before) => before,
  });
  return (
    <div className="stack">
      <div>
        <Choice
          label={text.tracesWhich}
          value={which}
          onChange={setWhich}
          options={[
            { value: 'errors', label: text.onlyErrors },
            { value: 'all', label: text.allTraces },
          ]}
        />
      </div>
      <Loaded query={query}>
        {(spans) => (spans.length ? <Traces spans={spans} most={20} /> : <Empty title={text.noTraces} />)}
      </Loaded>
    </div>
  );
}
