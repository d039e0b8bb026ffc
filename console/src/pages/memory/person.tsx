import type { ProfileField, Trait, UserView } from '#spec/api';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormats, useLanguage, useText } from '../../domains/language/language.tsx';
import { memoryApi, memoryQueries } from '../../domains/memory/memory-api.ts';
import { useMay } from '../../domains/session/session.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Meter } from '../../ui/meter.tsx';
import { Section } from '../../ui/page.tsx';
import { Empty, Loaded, Refused } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { memoryText } from './text.ts';
import { useMemoryChange } from './use-memory-change.ts';

const FIELDS: readonly ProfileField[] = [
  'preferences',
  'communication_style',
  'expertise_level',
  'tech_stack',
  'frequent_tasks',
  'working_hours',
];
/** Below the best ones stands a long tail of what was said once. */
const MOST_TRAITS = 12;

/** What is known about a person: what the model is told, and what each of it rests on. */
export function Person({ of }: { readonly of: string | undefined }) {
  const text = useText(memoryText);
  const { language } = useLanguage();
  const query = useQuery({ ...memoryQueries.user(of, language), enabled: of !== undefined });
  if (of === undefined) return <Empty title={text.user.nobody}>{text.user.nobodyWhy}</Empty>;
  return (
    <Loaded query={query}>
      {(user) => (
        <div className="person">
          <div className="stack-16">
            <Told user={user} />
            <SetByHand of={user.of} />
          </div>
          <Behind user={user} />
        </div>
      )}
    </Loaded>
  );
}

const useErase = (of: string) => useMemoryChange((path: string) => memoryApi.eraseUser(of, path));

function Told({ user: { of, told } }: { readonly user: UserView }) {
  const text = useText(memoryText);
  const may = useMay('operator');
  const erase = useErase(of);
  const known = FIELDS.flatMap((field) => {
    const value = told[field];
    return value ? [{ field, ...value }] : [];
  });
  return (
    <Section
      title={text.user.told}
      flush={known.length > 0}
      actions={may ? <ForgetAll of={of} /> : undefined}
    >
      {known.length ? (
        <Table
          label={text.user.told}
          items={known}
          keyOf={({ field }) => field}
          columns={[
            { key: 'field', title: text.user.field, cell: ({ field }) => text.user.fields[field] },
            {
              key: 'value',
              title: text.user.value,
              cell: ({ value, source }) => (
                <span className="wrap">
                  {value} <Badge tone={source === 'set' ? 'info' : 'quiet'}>{text.user[source]}</Badge>
                </span>
              ),
            },
            ...(may
              ? [
                  {
                    key: 'forget',
                    title: text.user.forget,
                    number: true,
                    cell: ({ field }: { field: ProfileField }) => (
                      <Button small look="plain" onClick={() => erase.mutate(field)}>
                        {text.user.forget}
                      </Button>
                    ),
                  },
                ]
              : []),
          ]}
        />
      ) : (
        <Empty title={text.user.nothing}>{text.user.nothingWhy}</Empty>
      )}
      <Refused error={erase.error} />
    </Section>
  );
}

function ForgetAll({ of }: { readonly of: string }) {
  const text = useText(memoryText);
  const [asked, setAsked] = useState(false);
  const erase = useMemoryChange(
    () => memoryApi.eraseUser(of),
    () => setAsked(false),
  );
  return (
    <>
      <Button small look="danger" onClick={() => setAsked(true)}>
        {text.user.forgetAll}
      </Button>
      {asked ? (
        <Dialog
          title={text.user.forgetAllTitle}
          onClose={() => setAsked(false)}
          footer={
            <>
              <Button onClick={() => setAsked(false)}>{text.cancel}</Button>
              <Button look="danger" busy={erase.isPending} onClick={() => erase.mutate(undefined)}>
                {text.user.confirm}
              </Button>
            </>
          }
        >
          <p>{text.user.forgetAllWhat}</p>
          <Refused error={erase.error} />
        </Dialog>
      ) : null}
    </>
  );
}

function Behind({ user: { of, behind } }: { readonly user: UserView }) {
  const text = useText(memoryText);
  const formats = useFormats();
  const { turns, traits, hours, style, languages } = behind;
  const styles = [
    ...(['en', 'zh'] as const).map(
      (language) => [text.user.styles[language], languages[language] ?? 0] as const,
    ),
    ...(['short', 'long', 'code'] as const).map((each) => [text.user.styles[each], style[each]] as const),
  ].filter(([, count]) => count > 0);
  return (
    <Section title={text.user.behind} actions={<span className="muted">{text.user.turns(turns)}</span>}>
      <div className="stack-16">
        {FIELDS.map((field) => {
          const own = traits.filter((trait) => trait.field === field);
          return own.length ? (
            <div key={field} className="stack">
              <h3>{text.user.fields[field]}</h3>
              <ul className="trait-list">
                {own.slice(0, MOST_TRAITS).map((trait) => (
                  <TraitLine key={`${trait.source} ${trait.part}`} of={of} trait={trait} all={own} />
                ))}
              </ul>
            </div>
          ) : null;
        })}
        {styles.length ? (
          <div className="stack">
            <h3>{text.user.style}</h3>
            <ul className="fill-list shares">
              {styles.map(([name, count]) => (
                <li key={name}>
                  <span>{name}</span>
                  <Meter value={count} most={turns} />
                  <span className="num">{formats.percent(Math.round((count / turns) * 100) / 100)}</span>
                </li>
              ))}
            </ul>
          </div>
        ) : null}
        {hours.some((count) => count > 0) ? <Hours hours={hours} /> : null}
        {turns === 0 && traits.length === 0 ? (
          <Empty title={text.user.nothing}>{text.user.nothingWhy}</Empty>
        ) : null}
      </div>
    </Section>
  );
}

function TraitLine(props: { readonly of: string; readonly trait: Trait; readonly all: readonly Trait[] }) {
  const { of, trait, all } = props;
  const { field, part, source, value, weight, needed, at } = trait;
  const text = useText(memoryText);
  const formats = useFormats();
  const may = useMay('operator');
  const erase = useErase(of);
  const most = Math.max(...all.map((each) => each.weight ?? 0), (needed ?? 0) * 1.2);
  const title = needed === undefined ? undefined : text.user.needed(formats.number(needed));
  return (
    <li>
      <span className="wrap" title={title}>
        {value === undefined || value === part
          ? part.replaceAll('_', ' ')
          : `${part ? `${part}: ` : ''}${value}`}
      </span>
      {weight === undefined ? (
        <span>
          <Badge tone={source === 'set' ? 'info' : 'quiet'}>{text.user[source]}</Badge>
        </span>
      ) : (
        <span className="trust" title={title}>
          <Meter value={weight} most={most} mark={needed} tone={weight >= (needed ?? 0) ? 'info' : 'quiet'} />
          <span className="num">{weight.toFixed(1)}</span>
        </span>
      )}
      <span className="muted num">{at === undefined ? '' : <Time at={at} ago />}</span>
      {may ? (
        <Button
          small
          look="plain"
          busy={erase.isPending}
          aria-label={`${text.user.forget}: ${part || text.user.fields[field]}`}
          onClick={() => erase.mutate(part ? `${field}.${part}` : field)}
        >
          {text.user.forget}
        </Button>
      ) : null}
    </li>
  );
}

function Hours({ hours }: { readonly hours: readonly number[] }) {
  const text = useText(memoryText);
  const most = Math.max(...hours, 1);
  const told = hours.flatMap((count, hour) => (count ? [`${hour}:00 ${count}`] : [])).join(', ');
  return (
    <figure className="stack">
      <figcaption className="muted">{text.user.hours}</figcaption>
      <div className="hours" role="img" aria-label={told}>
        {hours.map((count, hour) => (
          // An hour is its place.
          <span key={hour} title={`${hour}:00–${hour + 1}:00: ${count}`}>
            <i style={{ height: `${(count / most) * 100}%` }} />
            <small>{hour % 6 === 0 ? hour : ''}</small>
          </span>
        ))}
      </div>
    </figure>
  );
}

function SetByHand({ of }: { readonly of: string }) {
  const text = useText(memoryText);
  const may = useMay('operator');
  const [field, setField] = useState<ProfileField>('communication_style');
  const [part, setPart] = useState('');
  const [value, setValue] = useState('');
  const set = useMemoryChange(
    () =>
      memoryApi.setUser({ of, path: part.trim() ? `${field}.${part.trim()}` : field, value: value.trim() }),
    () => setValue(''),
  );
  if (!may) return null;
  return (
    <Section title={text.user.setTitle}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (value.trim() && !set.isPending) set.mutate(undefined);
        }}
      >
        <p className="muted">{text.user.setHint}</p>
        <div className="toolbar">
          <SelectField
            label={text.user.field}
            value={field}
            options={FIELDS.map((each) => ({ value: each, label: text.user.fields[each] }))}
            onChange={(event) => setField(FIELDS.find((each) => each === event.target.value) ?? field)}
          />
          <TextField
            label={text.user.part}
            placeholder={text.user.partHint}
            maxLength={100}
            value={part}
            onChange={(event) => setPart(event.target.value)}
          />
        </div>
        <TextField
          label={text.user.value}
          maxLength={400}
          value={value}
          onChange={(event) => setValue(event.target.value)}
        />
        <div>
          <Button type="submit" look="primary" busy={set.isPending} disabled={!value.trim()}>
            {text.user.setNow}
          </Button>
        </div>
        <Refused error={set.error} />
      </form>
    </Section>
  );
}
