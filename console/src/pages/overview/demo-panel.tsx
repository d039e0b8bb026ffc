import type { Demo } from '#spec/api';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../domains/api/api.ts';
import { queries } from '../../domains/api/queries.ts';
import { useLanguage, useText } from '../../domains/language/language.tsx';
import { useMay } from '../../domains/session/session.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Section } from '../../ui/page.tsx';
import { Refused } from '../../ui/states.tsx';
import { overviewText } from './text.ts';

/** Breaks the demo system on purpose, where there is one. */
export function DemoPanel() {
  const { data } = useQuery(queries.demo());
  return data?.running ? <Controls demo={data} /> : null;
}

function Controls({ demo }: { readonly demo: Demo }) {
  const text = useText(overviewText);
  const { language } = useLanguage();
  const may = useMay('operator');
  const client = useQueryClient();
  const [chosen, setChosen] = useState(demo.faults[0]?.id ?? '');
  const refresh = () => client.invalidateQueries({ queryKey: ['demo'] });
  const inject = useMutation({ mutationFn: () => api.injectFault(chosen), onSettled: refresh });
  const clear = useMutation({ mutationFn: () => api.clearFault(), onSettled: refresh });
  const active = demo.faults.find(({ id }) => id === demo.active);
  return (
    <Section title={text.demo}>
      <div className="stack">
        <p className="muted">{text.demoWhat}</p>
        {active ? (
          <p>
            <Badge tone="bad">{text.active}</Badge> {active.title[language]}
          </p>
        ) : null}
        <SelectField
          label={text.fault}
          value={chosen}
          disabled={!may}
          options={demo.faults.map(({ id, title }) => ({ value: id, label: title[language] }))}
          onChange={(event) => setChosen(event.target.value)}
        />
        <div className="row">
          <Button
            look="danger"
            disabled={!may || !demo.running || active !== undefined}
            busy={inject.isPending}
            onClick={() => inject.mutate()}
          >
            {text.inject}
          </Button>
          {active ? (
            <Button disabled={!may} busy={clear.isPending} onClick={() => clear.mutate()}>
              {text.clear}
            </Button>
          ) : null}
        </div>
        <Refused error={inject.error ?? clear.error} />
      </div>
    </Section>
  );
}
