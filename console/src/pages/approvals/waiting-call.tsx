import type { AskedCall } from '#spec/api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { useLanguage, useText } from '../../domains/language/language.tsx';
import { decideCall } from '../../domains/requests/requests-api.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Section } from '../../ui/page.tsx';
import { Refused } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { approvalsText } from './text.ts';

/** What an agent, a terminal or a workflow waits for. */
export function WaitingCall({ call }: { readonly call: AskedCall }) {
  const text = useText(approvalsText);
  const { language } = useLanguage();
  const client = useQueryClient();
  const [typed, setTyped] = useState('');
  const decide = useMutation({
    mutationFn: (word: 'approve' | 'reject') =>
      decideCall(call.id, word, call.confirm === undefined ? undefined : typed.trim()),
    onSettled: () => client.invalidateQueries({ queryKey: ['approvals'] }),
  });
  const { asks, confirm } = call;
  const ready = confirm === undefined || typed.trim() === confirm;
  return (
    <Section
      title={text.callTitle(call.tool)}
      actions={<Link to={`/sessions/${encodeURIComponent(asks.session)}`}>{text.showSession}</Link>}
    >
      <div className="stack-16">
        {call.reasons.map((reason) => (
          <p key={reason.en} className="wrap">
            {reason[language]}
          </p>
        ))}
        <pre className="code wrap">{call.shown}</pre>
        <div className="row muted">
          <span>
            {text.asked} <Time at={call.createdAt} ago />
          </span>
          <span>{text.asks(asks.user, asks.platform, asks.caller)}</span>
          <span>
            {text.until} <Time at={call.expiresAt} />
          </span>
          {call.separate ? <Badge>{text.separate}</Badge> : null}
        </div>
        {confirm === undefined ? null : (
          <TextField
            label={text.confirmWith(confirm)}
            autoComplete="off"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
        <div className="row decide">
          <Button look="danger" busy={decide.isPending} onClick={() => decide.mutate('reject')}>
            {text.reject}
          </Button>
          <Button busy={decide.isPending} disabled={!ready} onClick={() => decide.mutate('approve')}>
            {text.allowOnce}
          </Button>
        </div>
        <Refused error={decide.error} />
      </div>
    </Section>
  );
}
