import { useText } from '../../domains/language/language.tsx';
import { sessionText } from './text.ts';

const KINDS = ['model', 'answer', 'tool', 'approval', 'compaction', 'bad', 'estimated'] as const;

/** What the bars of a waterfall mean. */
export function Legend() {
  const { legend: text } = useText(sessionText);
  return (
    <ul className="legend" aria-label={text.label}>
      {KINDS.map((kind) => (
        <li key={kind}>
          <i className={`bar-${kind}`} aria-hidden="true" />
          {text[kind]}
        </li>
      ))}
    </ul>
  );
}
