import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Severity } from '#spec/data';
import { api } from '../../domains/api/api.ts';
import { incidentWords } from '../../domains/incident/text.ts';
import { useText } from '../../domains/language/language.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Refused } from '../../ui/states.tsx';
import { incidentsText } from './text.ts';

const SEVERITIES: readonly Severity[] = ['P1', 'P2', 'P3', 'P4'];

export function CreateIncident(props: {
  readonly onClose: () => void;
  readonly onMade: (id: string) => void;
}) {
  const text = useText(incidentsText);
  const words = useText(incidentWords);
  const client = useQueryClient();
  const [title, setTitle] = useState('');
  const [service, setService] = useState('');
  const [metric, setMetric] = useState('');
  const [severity, setSeverity] = useState<Severity>('P3');
  const create = useMutation({
    mutationFn: () =>
      api.openIncident({
        title: title.trim(),
        severity,
        ...(service.trim() ? { service: service.trim() } : {}),
        ...(metric.trim() ? { metric: metric.trim() } : {}),
      }),
    onSuccess: ({ incident }) => {
      void client.invalidateQueries({ queryKey: ['incidents'] });
      props.onClose();
      if (incident !== undefined) props.onMade(incident);
    },
  });
  const submit = () => {
    if (title.trim() && !create.isPending) create.mutate();
  };
  return (
    <Dialog
      title={text.createTitle}
      onClose={props.onClose}
      footer={
        <>
          <Button onClick={props.onClose}>{text.cancel}</Button>
          <Button look="primary" busy={create.isPending} disabled={!title.trim()} onClick={submit}>
            {text.openNow}
          </Button>
        </>
      }
    >
      <form
        className="stack-16"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <TextField
          label={text.incidentTitle}
          required
          maxLength={500}
          value={title}
          onChange={(event) => setTitle(event.target.value)}
        />
        <SelectField
          label={text.severity}
          value={severity}
          options={SEVERITIES.map((value) => ({ value, label: words.severity[value] }))}
          onChange={(event) => setSeverity(SEVERITIES.find((each) => each === event.target.value) ?? 'P3')}
        />
        <TextField
          label={text.service}
          hint={text.optional}
          maxLength={200}
          value={service}
          onChange={(event) => setService(event.target.value)}
        />
        <TextField
          label={text.metric}
          hint={text.optional}
          maxLength={200}
          value={metric}
          onChange={(event) => setMetric(event.target.value)}
        />
        <button type="submit" hidden />
        <Refused error={create.error} />
      </form>
    </Dialog>
  );
}
