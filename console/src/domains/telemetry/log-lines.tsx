import { useState } from 'react';
import type { LogLine } from '#spec/data';
import { useText } from '../language/language.tsx';
import { Button } from '../../ui/button.tsx';
import { Time } from '../../ui/time.tsx';
import { telemetryText } from './text.ts';
import './telemetry.css';

/** Lines of logs, as text. */
export function LogLines({ lines, most }: { readonly lines: readonly LogLine[]; readonly most: number }) {
  const text = useText(telemetryText);
  const [shown, setShown] = useState(most);
  return (
    <div className="stack">
      <div className="logs" role="region" aria-label={text.lines} tabIndex={0}>
        {lines.slice(0, shown).map((line, index) => (
          // The same line may come twice: the place is the key.
          <div key={`${line.time} ${index}`} className="log-line">
            <span className="muted">
              <Time at={line.time * 1000} />
            </span>
            <span className={levelTone(line.level)}>{(line.level ?? '').toUpperCase().slice(0, 5)}</span>
            <span className="muted ellipsis" title={line.pod}>
              {line.service}
            </span>
            <span className="log-message">{line.message}</span>
          </div>
        ))}
      </div>
      {lines.length > shown ? (
        <div>
          <Button small look="plain" onClick={() => setShown(shown + 200)}>
            {text.more(lines.length - shown)}
          </Button>
        </div>
      ) : null}
    </div>
  );
}

function levelTone(level = ''): string | undefined {
  if (/^(?:error|fatal|crit|panic|emerg|alert)/i.test(level)) return 'tone-bad';
  return /^warn/i.test(level) ? 'tone-warn' : 'muted';
}
