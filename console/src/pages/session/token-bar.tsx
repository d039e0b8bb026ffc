import type { Usage } from '#spec/data';
import { useFormats, useText } from '../../domains/language/language.tsx';
import { sessionText } from './text.ts';

const KINDS = [
  { kind: 'cacheRead', name: 'read' },
  { kind: 'cacheWrite', name: 'write' },
  { kind: 'input', name: 'fresh' },
] as const;

/** What one call read: from the cache, into the cache, and at full price. */
export function TokenBar({ usage }: { readonly usage: Usage }) {
  const { details: text } = useText(sessionText);
  const formats = useFormats();
  const total = Math.max(1, usage.input + usage.cacheRead + usage.cacheWrite);
  return (
    <div className="stack">
      <div className="stacked" aria-hidden="true">
        {KINDS.map(({ kind }) => (
          <i key={kind} className={`tokens-${kind}`} style={{ width: `${(usage[kind] / total) * 100}%` }} />
        ))}
      </div>
      <ul className="legend">
        {KINDS.map(({ kind, name }) => (
          <li key={kind}>
            <i className={`tokens-${kind}`} aria-hidden="true" />
            {text[name]} {formats.number(usage[kind])}{' '}
            <span className="muted">{formats.percent(Math.round((usage[kind] / total) * 100) / 100)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
