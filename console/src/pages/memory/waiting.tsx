import type { WaitingWrite } from '#spec/api';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { useLanguage, useText } from '../../domains/language/language.tsx';
import { memoryApi, memoryQueries } from '../../domains/memory/memory-api.ts';
import { WordDiff } from '../../domains/memory/word-diff.tsx';
import { useMay } from '../../domains/session/session.tsx';
import { sessionAddress } from '../../domains/sessions/session-address.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/page.tsx';
import { Empty, Loaded, Refused } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { scopeName } from './scope-name.ts';
import { memoryText } from './text.ts';
import { useMemoryChange } from './use-memory-change.ts';

/** Writes that nobody typed, and that a person has to agree to. */
export function Waiting() {
  const text = useText(memoryText);
  const { language } = useLanguage();
  const [said, setSaid] = useState('');
  const query = useQuery(memoryQueries.waiting(language));
  return (
    <Loaded query={query}>
      {(writes) => (
        <div className="stack-16">
          <div role="status">{said ? <div className="notice ok">{said}</div> : null}</div>
          {writes.length ? (
            writes.map((write) => <Write key={write.id} write={write} onSaid={setSaid} />)
          ) : (
            <Empty title={text.waiting.none}>{text.waiting.noneWhy}</Empty>
          )}
        </div>
      )}
    </Loaded>
  );
}

function Write({ write, onSaid }: { readonly write: WaitingWrite; readonly onSaid: (said: string) => void }) {
  const text = useText(memoryText);
  const { language } = useLanguage();
  const may = useMay('operator');
  const settle = useMemoryChange(
    (word: 'approve' | 'reject') => memoryApi.settle(write.id, word, language),
    (done, word) => onSaid(word === 'approve' ? done.said : text.waiting.rejected),
  );
  const kinds: Readonly<Record<string, string>> = text.kinds;
  return (
    <Section
      title={write.target === 'notebook' ? write.place : (kinds[write.place] ?? write.place)}
      actions={<Badge>{scopeName(write.scope, text.scope)}</Badge>}
    >
      <div className="stack">
        <WordDiff before={write.before} after={write.after} />
        {write.archived.length ? (
          <div className="notice warn">
            {text.waiting.leaves}
            <ul>
              {write.archived.map((each) => (
                <li key={each} className="wrap muted">
                  {each}
                </li>
              ))}
            </ul>
          </div>
        ) : null}
        {write.problem === undefined ? null : (
          <div className="notice bad">
            {text.waiting.problem}: {write.problem}
          </div>
        )}
        <div className="row muted">
          <span className="wrap">
            {text.waiting.because}: {write.why}
          </span>
          <span>
            {text.waiting.asked} <Time at={write.at} ago />
          </span>
          {write.session ? (
            <Link to={sessionAddress(write.session)}>
              {text.waiting.inSession} {write.session}
            </Link>
          ) : null}
        </div>
        {may ? (
          <div className="row">
            <Button
              look="primary"
              busy={settle.isPending}
              disabled={write.problem !== undefined}
              onClick={() => settle.mutate('approve')}
            >
              {text.waiting.approve}
            </Button>
            <Button look="danger" busy={settle.isPending} onClick={() => settle.mutate('reject')}>
              {text.waiting.reject}
            </Button>
          </div>
        ) : null}
        <Refused error={settle.error} />
      </div>
    </Section>
  );
}
