import type { SkillList } from '#spec/api';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import type { SkillProblem } from '#spec/data';
import { useText } from '../../domains/language/language.tsx';
import { skillAddress } from '../../domains/skills/marks.tsx';
import { skillQueries } from '../../domains/skills/skills-api.ts';
import { skillWords } from '../../domains/skills/text.ts';
import { Choice, SelectField, TextField } from '../../ui/field.tsx';
import { Section } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { VirtualTable } from '../../ui/virtual-table.tsx';
import { filterSkills, formOf, orderOf, orderSkills, stateOf } from './filter-skills.ts';
import { useSkillColumns } from './skill-columns.tsx';
import { skillsText } from './text.ts';

const TRUSTS = ['own', 'user', 'trusted', 'community', 'builtin'] as const;

/** All skills with how they do. The filter is part of the address. */
export function Library() {
  const text = useText(skillsText);
  const words = useText(skillWords);
  const navigate = useNavigate();
  const [params, setParams] = useSearchParams();
  const set = (name: string, value: string) =>
    setParams((before) => (value ? before.set(name, value) : before.delete(name), before), { replace: true });
  const wanted = params.get('text') ?? '';
  const filter = {
    form: formOf(params.get('form')),
    state: stateOf(params.get('show')),
    trust: params.get('origin') ?? '',
  };
  const order = orderOf(params.get('sort'));
  const query = useQuery(skillQueries.list(useDeferredValue(wanted.trim())));
  const columns = useSkillColumns();
  return (
    <div className="stack-16">
      <div className="toolbar" role="search">
        <TextField
          label={text.search}
          type="search"
          placeholder={text.searchHint}
          value={wanted}
          onChange={(event) => set('text', event.target.value)}
        />
        <Choice
          label={text.form}
          options={[
            { value: 'all', label: text.allForms },
            { value: 'document', label: text.documents },
            { value: 'workflow', label: text.workflows },
          ]}
          value={filter.form}
          onChange={(value) => set('form', value === 'all' ? '' : value)}
        />
        <Choice
          label={text.show}
          options={[
            { value: 'all', label: text.allStates },
            { value: 'offered', label: text.offered },
            { value: 'hidden', label: text.notOffered },
          ]}
          value={filter.state}
          onChange={(value) => set('show', value === 'all' ? '' : value)}
        />
        <SelectField
          label={text.origin}
          value={filter.trust}
          options={[
            { value: '', label: text.anyOrigin },
            ...TRUSTS.map((value) => ({ value, label: words.trust[value] })),
          ]}
          onChange={(event) => set('origin', event.target.value)}
        />
        <SelectField
          label={text.order}
          value={order}
          options={[
            { value: 'name', label: wanted.trim() ? text.byFit : text.byName },
            { value: 'uses', label: text.byUses },
            { value: 'last', label: text.byLast },
          ]}
          onChange={(event) => set('sort', event.target.value === 'name' ? '' : event.target.value)}
        />
      </div>
      <section className="section skills-list" aria-label={text.list}>
        <Loaded query={query}>
          {(list) => {
            const shown = orderSkills(filterSkills(list.skills, filter), order);
            return shown.length ? (
              <VirtualTable
                label={text.list}
                columns={columns}
                items={shown}
                keyOf={({ name }) => name}
                rowHeight={48}
                height="max(320px, calc(100dvh - 260px))"
                onOpen={({ name }) => void navigate(skillAddress(name))}
              />
            ) : (
              <Empty title={text.none}>{text.noneWhy}</Empty>
            );
          }}
        </Loaded>
      </section>
      <p className="muted" role="status">
        {query.data
          ? text.shown(filterSkills(query.data.skills, filter).length, query.data.skills.length)
          : ''}
      </p>
      {query.data ? <Troubles list={query.data} /> : null}
    </div>
  );
}

function Troubles({ list: { problems, shadowed } }: { readonly list: SkillList }) {
  const text = useText(skillsText);
  const words = useText(skillWords);
  return (
    <>
      {problems.length ? (
        <Section title={text.problems} count={problems.length}>
          <ul className="stack">
            {problems.map((problem) => (
              <ProblemLine key={`${problem.root}/${problem.path}`} problem={problem} />
            ))}
          </ul>
        </Section>
      ) : null}
      {shadowed.length ? (
        <Section title={text.shadowed} count={shadowed.length}>
          <ul className="stack">
            {shadowed.map(({ name, root, path }) => (
              <li key={`${root}/${path}`} className="wrap">
                {name} <code className="muted">{`${words.root[root as 'home'] ?? root}/${path}`}</code>
              </li>
            ))}
          </ul>
        </Section>
      ) : null}
    </>
  );
}

function ProblemLine({ problem: { root, path, line, problem, fix } }: { readonly problem: SkillProblem }) {
  const text = useText(skillsText);
  return (
    <li className="notice warn">
      <code>{`${root}/${path}`}</code> {line === undefined ? null : text.line(line)}
      <div className="wrap">{problem}</div>
      <div className="muted wrap">{fix}</div>
    </li>
  );
}
