import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Severity } from '#spec/data';
import { api } from '../../domains/api/api.ts';
import { incidentWords } from '../../domains/incident/text.ts';
import { useText } from '../../domains/language/language.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
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
  return (
    <FormDialog
      title={text.createTitle}
      verb={text.openNow}
      ready={title.trim() !== ''}
      sending={create}
      onClose={props.onClose}
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
    </FormDialog>
  );
}
