import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/api.ts';
import type { ShownApproval } from '#spec/api';
import { useText } from '../language/language.tsx';
import { useMay } from '../session/session.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Diff } from '../../ui/diff.tsx';
import { TextField } from '../../ui/field.tsx';
import { Time } from '../../ui/time.tsx';
import { decideText } from './decide-text.ts';
import { incidentWords } from './text.ts';
import { RISK_TONE } from './tones.ts';

type Word = 'approve' | 'reject';

/** The two buttons of a request that waits. What will happen is shown once more before it does. */
export function Decide({ approval }: { readonly approval: ShownApproval }) {
  const text = useText(decideText);
  const may = useMay('approver');
  const [asked, setAsked] = useState<Word>();
  if (!may) return <p className="muted">{text.mayNot}</p>;
  return (
    <div className="row decide">
      <Button look="primary" onClick={() => setAsked('approve')}>
        {text.approve}
      </Button>
      <Button look="danger" onClick={() => setAsked('reject')}>
        {text.reject}
      </Button>
      {asked ? <DecideDialog approval={approval} word={asked} onClose={() => setAsked(undefined)} /> : null}
    </div>
  );
}

function DecideDialog(props: {
  readonly approval: ShownApproval;
  readonly word: Word;
  readonly onClose: () => void;
}) {
  const { approval, word, onClose } = props;
  const text = useText(decideText);
  const client = useQueryClient();
  const [typed, setTyped] = useState('');
  const needed = word === 'approve' ? approval.confirm : undefined;
  const decide = useMutation({
    mutationFn: () => api.decide(approval.id, word, needed === undefined ? undefined : typed.trim()),
    onSuccess: onClose,
    onSettled: () =>
      Promise.all(
        ['approvals', 'incidents', 'incident'].map((key) => client.invalidateQueries({ queryKey: [key] })),
      ),
  });
  const ready = needed === undefined || typed.trim() === needed;
  return (
    <FormDialog
      title={word === 'approve' ? text.approveTitle : text.rejectTitle}
      verb={word === 'approve' ? text.approveAndRun : text.reject}
      look={word === 'approve' ? 'primary' : 'danger'}
      ready={ready}
      sending={decide}
      onClose={onClose}
    >
      {word === 'approve' ? <WillDo approval={approval} /> : <p>{text.rejectWhat}</p>}
      {needed === undefined ? null : (
        <TextField
          label={text.confirmLabel(needed)}
          hint={text.confirmHint}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
    </FormDialog>
  );
}

/** What an action will do, in one line and as the lines that change. */
export function WillDo({ approval }: { readonly approval: ShownApproval }) {
  const text = useText(decideText);
  const words = useText(incidentWords);
  const { action, preview, diff } = approval.input;
  return (
    <div className="stack">
      <div className="row">
        <strong>{text.willDo}</strong>
        {action ? <Badge tone={RISK_TONE[action.risk]}>{words.risk[action.risk]}</Badge> : null}
        {action ? <Badge>{action.service}</Badge> : null}
      </div>
      <code className="code">{preview ?? approval.shown}</code>
      {diff === undefined ? null : <Diff diff={diff} label={text.diff} />}
      <p className="muted">
        {text.until} <Time at={approval.expiresAt} />. {text.again}
      </p>
    </div>
  );
}
