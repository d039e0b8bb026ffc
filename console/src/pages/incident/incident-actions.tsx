import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isRegroupable } from '#kit/is-regroupable';
import type { Incident } from '../../domains/incident/records.ts';
import { api } from '../../domains/api/api.ts';
import { CLOSED_STATES } from '../../domains/incident/tones.ts';
import { useCommands } from '../../domains/keys/commands.tsx';
import { useLanguage, useText } from '../../domains/language/language.tsx';
import { useMay } from '../../domains/session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { LinkMenu } from '../../ui/menu.tsx';
import { Refused } from '../../ui/states.tsx';
import { MergeDialog } from './regroup-dialog.tsx';
import { incidentText } from './text.ts';

/** What can be done with an incident as a whole. */
export function IncidentActions({ incident }: { readonly incident: Incident }) {
  const text = useText(incidentText);
  const { language } = useLanguage();
  const may = useMay('operator');
  const client = useQueryClient();
  const [closing, setClosing] = useState(false);
  const [merging, setMerging] = useState(false);
  const look = useMutation({
    mutationFn: () => api.lookAgain(incident.id),
    onSettled: () => client.invalidateQueries({ queryKey: ['incident', incident.id] }),
  });
  const open = may && !CLOSED_STATES.includes(incident.state);
  const mergeable = may && isRegroupable(incident);
  useCommands([
    ...(open
      ? [
          { id: 'look', label: text.look, group: text.group, keys: 'l', run: () => look.mutate() },
          { id: 'close', label: text.close, group: text.group, run: () => setClosing(true) },
        ]
      : []),
    ...(mergeable
      ? [{ id: 'merge', label: text.regroup.merge, group: text.group, run: () => setMerging(true) }]
      : []),
  ]);
  return (
    <>
      <Refused error={look.error} />
      <LinkMenu
        label={text.report}
        links={[
          { label: text.reportHtml, href: api.reportAddress(incident.id, 'html', language) },
          {
            label: text.reportMd,
            href: api.reportAddress(incident.id, 'md', language),
            download: `${incident.id}.md`,
          },
        ]}
      />
      {open ? (
        <>
          <Button busy={look.isPending} onClick={() => look.mutate()}>
            {text.look}
          </Button>
          {mergeable ? <Button onClick={() => setMerging(true)}>{text.regroup.merge}</Button> : null}
          <Button onClick={() => setClosing(true)}>{text.close}</Button>
        </>
      ) : null}
      {merging ? <MergeDialog incident={incident} onClose={() => setMerging(false)} /> : null}
      {closing ? <CloseDialog id={incident.id} onClose={() => setClosing(false)} /> : null}
    </>
  );
}

function CloseDialog({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const text = useText(incidentText);
  const client = useQueryClient();
  const [why, setWhy] = useState('');
  const close = useMutation({
    mutationFn: () => api.closeIncident(id, why.trim()),
    onSuccess: onClose,
    onSettled: () => client.invalidateQueries(),
  });
  return (
    <Dialog
      title={text.closeTitle}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button look="primary" busy={close.isPending} disabled={!why.trim()} onClick={() => close.mutate()}>
            {text.closeNow}
          </Button>
        </>
      }
    >
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (why.trim() && !close.isPending) close.mutate();
        }}
      >
        <TextField
          label={text.closeWhy}
          maxLength={500}
          value={why}
          onChange={(event) => setWhy(event.target.value)}
        />
        <Refused error={close.error} />
      </form>
    </Dialog>
  );
}
