import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { isRegroupable } from '#kit/is-regroupable';
import type { IncidentSummary } from '#spec/data';
import { api } from '../../domains/api/api.ts';
import { queries } from '../../domains/api/queries.ts';
import type { Incident, IncidentMember } from '../../domains/incident/records.ts';
import { OPEN_COUNTED, OPEN_STATES } from '../../domains/incident/tones.ts';
import { useText } from '../../domains/language/language.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { SelectField } from '../../ui/field.tsx';
import { incidentText } from './text.ts';

/** Makes an incident part of another. */
export function MergeDialog({
  incident,
  onClose,
}: {
  readonly incident: Incident;
  readonly onClose: () => void;
}) {
  const { regroup: text } = useText(incidentText);
  return (
    <RegroupDialog
      id={incident.id}
      title={text.mergeTitle}
      choose={text.choose}
      verb={() => text.mergeNow}
      learns={(target) => pair(text.together, incident.service, target?.service)}
      send={(into, learn) => api.mergeIncident(incident.id, into, learn)}
      onClose={onClose}
    >
      <p className="muted">{text.mergeNote}</p>
    </RegroupDialog>
  );
}

/** Takes alerts out of an incident: into one of their own, or into another. */
export function MoveDialog(props: {
  readonly incident: Incident;
  readonly members: readonly IncidentMember[];
  readonly member: IncidentMember;
  readonly onClose: () => void;
}) {
  const { incident, members, onClose } = props;
  const { name, service } = props.member;
  const { regroup: text } = useText(incidentText);
  // All of one service is what is meant most often; something else has to be left.
  const whole = service !== undefined && members.some((other) => other.service !== service);
  const [scope, setScope] = useState(whole ? 'service' : 'name');
  const which = {
    ...(service === undefined ? {} : { service }),
    ...(scope === 'name' ? { alert: name } : {}),
  };
  const only = [name, service].filter(Boolean).join(' · ');
  return (
    <RegroupDialog
      id={incident.id}
      title={text.moveTitle}
      choose={text.own}
      verb={(target) => (target ? text.moveNow : text.splitNow)}
      learns={(target) =>
        scope === 'name'
          ? []
          : [...pair(text.apart, service, incident.service), ...pair(text.together, service, target?.service)]
      }
      send={(into, learn) => api.moveAlerts(incident.id, { ...which, learn, ...(into ? { into } : {}) })}
      mayBeNew
      onClose={onClose}
    >
      <SelectField
        label={text.which}
        value={scope}
        options={[
          ...(whole ? [{ value: 'service', label: text.allOf(service) }] : []),
          { value: 'name', label: text.only(only) },
        ]}
        onChange={(event) => setScope(event.target.value)}
      />
    </RegroupDialog>
  );
}

/** What is learned of two services; nothing of one, or of none. */
const pair = (
  say: (one: string, other: string) => string,
  one: string | undefined,
  other: string | undefined,
): string[] => (one === undefined || other === undefined || one === other ? [] : [say(one, other)]);

function RegroupDialog(props: {
  readonly id: string;
  readonly title: string;
  /** What stands where no incident is chosen. */
  readonly choose: string;
  readonly mayBeNew?: boolean;
  readonly verb: (target: IncidentSummary | undefined) => string;
  /** What would hold from now on, in sentences. */
  readonly learns: (target: IncidentSummary | undefined) => readonly string[];
  readonly send: (into: string, learn: boolean) => Promise<{ readonly id: string }>;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const { id, title, choose, mayBeNew = false, verb, learns, send, onClose, children } = props;
  const text = useText(incidentText);
  const client = useQueryClient();
  const navigate = useNavigate();
  const [into, setInto] = useState('');
  const [learn, setLearn] = useState(true);
  const { data = [] } = useQuery(queries.incidents({ states: OPEN_STATES, limit: OPEN_COUNTED }));
  const targets = data.filter((other) => other.id !== id && isRegroupable(other));
  const target = targets.find((other) => other.id === into);
  const learned = learns(target);
  const regroup = useMutation({
    mutationFn: () => send(into, learn && learned.length > 0),
    onSuccess: (kept) => {
      onClose();
      void navigate(`/incidents/${encodeURIComponent(kept.id)}`);
    },
    onSettled: () => client.invalidateQueries(),
  });
  return (
    <FormDialog
      title={title}
      verb={verb(target)}
      ready={mayBeNew || target !== undefined}
      sending={regroup}
      onClose={onClose}
    >
      {children}
      <SelectField
        label={text.regroup.into}
        hint={targets.length === 0 ? text.regroup.noOther : undefined}
        value={into}
        options={[
          { value: '', label: choose },
          ...targets.map(({ id: value, severity, title: name, service }) => ({
            value,
            label: `${severity} · ${[service, name].filter(Boolean).join(' · ')}`,
          })),
        ]}
        onChange={(event) => setInto(event.target.value)}
      />
      {learned.length === 0 ? null : (
        <label className="row">
          <input type="checkbox" checked={learn} onChange={(event) => setLearn(event.target.checked)} />
          <span className="wrap">{`${text.regroup.learn} ${learned.join(' ')}`}</span>
        </label>
      )}
    </FormDialog>
  );
}
