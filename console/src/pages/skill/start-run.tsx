import type { Plan, PlannedArgument } from '#spec/api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormats, useLanguage, useText } from '../../domains/language/language.tsx';
import { useMay } from '../../domains/session/session.tsx';
import { skillsApi } from '../../domains/skills/skills-api.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { readArguments, textOf } from './read-arguments.ts';
import { skillText } from './text.ts';

/** Starts a run with its arguments. What would change something still passes the gate. */
export function StartRun(props: {
  readonly name: string;
  readonly plan: Plan;
  readonly onClose: () => void;
  readonly onStarted: (run: string) => void;
}) {
  const { start: text } = useText(skillText);
  const formats = useFormats();
  const { language } = useLanguage();
  const isOwner = useMay('admin');
  const client = useQueryClient();
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [dryRun, setDryRun] = useState(false);
  const [fresh, setFresh] = useState(false);
  const [backend, setBackend] = useState('');
  const { args, wrong, missing } = readArguments(props.plan.arguments, typed);
  const start = useMutation({
    mutationFn: () =>
      skillsApi.start(props.name, {
        args,
        dryRun,
        fresh,
        language,
        ...(backend.trim() ? { backend: backend.trim() } : {}),
      }),
    onSuccess: ({ run, ageMs }) => {
      void client.invalidateQueries({ queryKey: ['skills', 'runs'] });
      props.onStarted(run);
      if (ageMs === undefined) props.onClose();
    },
  });
  const ready = !wrong.length && !missing.length;
  const age = start.data?.ageMs;
  return (
    <FormDialog
      title={text.title(props.name)}
      verb={text.run}
      ready={ready}
      sending={start}
      onClose={props.onClose}
    >
      {props.plan.arguments.map((argument) => (
        <ArgumentField
          key={argument.name}
          argument={argument}
          wrong={wrong.includes(argument.name)}
          value={typed[argument.name] ?? ''}
          onChange={(value) => setTyped((before) => ({ ...before, [argument.name]: value }))}
        />
      ))}
      <label className="row">
        <input type="checkbox" checked={dryRun} onChange={(event) => setDryRun(event.target.checked)} />
        {text.dryRun}
      </label>
      <label className="row">
        <input type="checkbox" checked={fresh} onChange={(event) => setFresh(event.target.checked)} />
        {text.fresh}
      </label>
      {isOwner ? (
        <TextField
          label={text.backend}
          hint={text.backendHint}
          maxLength={100}
          value={backend}
          onChange={(event) => setBackend(event.target.value)}
        />
      ) : null}
      <p className="muted">{text.asks}</p>
      {age === undefined ? null : (
        <div className="notice" role="status">
          {text.kept(formats.duration(age))}
        </div>
      )}
    </FormDialog>
  );
}

function ArgumentField(props: {
  readonly argument: PlannedArgument;
  readonly wrong: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const { start: text } = useText(skillText);
  const { argument, value, onChange } = props;
  const { name, type, choices, description, from } = argument;
  const usual = argument.value === undefined || argument.value === null ? undefined : textOf(argument.value);
  const isJson = type === 'array' || type === 'object';
  const hint = [
    description,
    from === 'missing' ? text.required : usual === undefined ? text.optional : text.usual(usual),
    isJson ? text.json : undefined,
  ]
    .filter(Boolean)
    .join(' · ');
  const chosen = choices?.map(textOf) ?? (type === 'boolean' ? ['true', 'false'] : undefined);
  if (chosen)
    return (
      <SelectField
        label={name}
        hint={hint}
        value={value}
        options={[
          { value: '', label: text.usualChoice },
          ...chosen.map((one) => ({
            value: one,
            label: type === 'boolean' ? (one === 'true' ? text.yes : text.no) : one,
          })),
        ]}
        onChange={(event) => onChange(event.target.value)}
      />
    );
  return (
    <TextField
      label={name}
      hint={hint}
      required={from === 'missing'}
      inputMode={type === 'number' ? 'decimal' : 'text'}
      error={props.wrong ? `${type}` : undefined}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
