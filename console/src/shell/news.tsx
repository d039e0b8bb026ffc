import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import type { IncidentFact } from '#spec/data';
import { useText } from '../domains/language/language.tsx';
import { useFacts } from '../domains/live/live.tsx';
import type { Tone } from '../ui/classes.ts';
import { shellText } from './text.ts';

interface Item {
  readonly id: string;
  readonly incident: string;
  readonly tone: Tone;
  readonly text: string;
}

const MOST = 3;
const STAYS_MS = 8_000;

/** What a person wants to be told wherever they are. It passes by; the pages keep it. */
export function News() {
  const text = useText(shellText);
  const [items, setItems] = useState<readonly Item[]>([]);
  useFacts((fact) => {
    const item = itemOf(fact, text.news);
    if (item) setItems((before) => [...before.filter(({ id }) => id !== item.id), item].slice(-MOST));
  });
  useEffect(() => {
    if (!items.length) return;
    const timer = setTimeout(() => setItems((before) => before.slice(1)), STAYS_MS);
    return () => clearTimeout(timer);
  }, [items]);
  return (
    <div className="toasts" role="status" aria-live="polite">
      {items.map(({ id, incident, tone, text: told }) => (
        <div key={id} className={`notice ${tone}`}>
          {told}{' '}
          <Link to={`/incidents/${encodeURIComponent(incident)}`} onClick={() => setItems([])}>
            {text.show}
          </Link>
        </div>
      ))}
    </div>
  );
}

function itemOf(
  { id, stream, type, data }: IncidentFact,
  text: { created(title: string): string; approval: string; recovered: string; needsPerson: string },
): Item | undefined {
  const item = (tone: Tone, told: string): Item => ({ id, incident: stream, tone, text: told });
  if (type === 'incident.created') return item('bad', text.created(data.title));
  if (type === 'approval.requested') return item('warn', text.approval);
  if (type === 'execution.refused' || type === 'recovery.failed') return item('bad', text.needsPerson);
  if (type === 'incident.closed' && data.state === 'recovered') return item('ok', text.recovered);
  return undefined;
}
