import type { LearnEvent, LearningView } from '#spec/api';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useFormats, useText } from '../../domains/language/language.tsx';
import { useMay } from '../../domains/session/session.tsx';
import { Edits } from '../../domains/skills/edits.tsx';
import { skillAddress } from '../../domains/skills/marks.tsx';
import { skillQueries, skillsApi } from '../../domains/skills/skills-api.ts';
import { skillWords } from '../../domains/skills/text.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Meter } from '../../ui/meter.tsx';
import { Facts, Section } from '../../ui/page.tsx';
import { Empty, Loaded, Refused } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { skillsText } from './text.ts';

/** How the loop stands, what it marked, tried and tidied. */
export function Curator() {
  const text = useText(skillsText);
  return (
    <Loaded query={useQuery(skillQueries.learning())}>
      {(learning) => {
        const edits = learning.ledger.filter(({ by }) => by === 'curator' || by === 'reflection');
        return (
          <div className="stack-16">
            <Loop learning={learning} />
            <Marked loop={learning.loop} />
            <Section title={text.curatorLedger} count={edits.length} flush>
              {edits.length ? <Edits edits={edits} /> : <Empty title={text.curatorNone} />}
            </Section>
            <Proposals proposals={learning.proposals} />
          </div>
        );
      }}
    </Loaded>
  );
}

function Loop({ learning: { loop, experiences } }: { readonly learning: LearningView }) {
  const text = useText(skillsText);
  const formats = useFormats();
  const may = useMay('operator');
  const client = useQueryClient();
  const pass = useMutation({
    mutationFn: (which: 'reflect' | 'curate') => skillsApi.pass(which),
    onSettled: () => client.invalidateQueries({ queryKey: ['skills'] }),
  });
  const button = (which: 'reflect' | 'curate') => (
    <Button small busy={pass.isPending && pass.variables === which} onClick={() => pass.mutate(which)}>
      {text[which]}
    </Button>
  );
  return (
    <Section
      title={text.loop}
      actions={
        may ? (
          <span className="row">
            {button('reflect')}
            {button('curate')}
          </span>
        ) : undefined
      }
    >
      <div className="stack">
        <Facts
          items={[
            [text.state, loop.enabled ? text.on : text.off],
            [text.asks, loop.approve ? text.asksYes : text.asksNo],
            [text.tasks, formats.number(experiences)],
            [
              text.reflects,
              <span key="reflects" className="measure">
                <Meter value={loop.sinceReflected} most={loop.reflectEvery} tone="info" />
                {text.reflectsIn(loop.sinceReflected, loop.reflectEvery)}
              </span>,
            ],
            [text.tidied, loop.curatedAt ? <Time key="tidied" at={loop.curatedAt} ago /> : text.never],
            [text.rules, text.rulesAre(loop.staleDays, loop.archiveDays)],
          ]}
        />
        <Refused error={pass.error} />
        {pass.data ? <Outcome events={pass.data.events} /> : null}
      </div>
    </Section>
  );
}

function Outcome({ events }: { readonly events: readonly LearnEvent[] }) {
  const text = useText(skillsText);
  return (
    <div className="notice" role="status">
      {events.length ? text.did(events.length) : text.nothing}
      <ul>
        {events.map(({ kind, skill, why }) => (
          <li key={`${kind} ${skill} ${why}`} className="wrap">
            <code>{kind}</code> {skill}: {why}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface MarkedSkill {
  readonly skill: string;
  readonly mark: 'demoted' | 'stale' | 'pinned';
  readonly why?: string;
  readonly at?: number;
}

function Marked({ loop: { stale, demoted, pinned } }: { readonly loop: LearningView['loop'] }) {
  const text = useText(skillsText);
  const words = useText(skillWords);
  const may = useMay('operator');
  const client = useQueryClient();
  const lift = useMutation({
    mutationFn: ({ skill, mark }: MarkedSkill) =>
      mark === 'pinned' ? skillsApi.pin(skill, false) : skillsApi.restore(skill),
    onSettled: () => client.invalidateQueries({ queryKey: ['skills'] }),
  });
  const marked: readonly MarkedSkill[] = [
    ...Object.entries(demoted).map(([skill, { why, at }]) => ({ skill, mark: 'demoted' as const, why, at })),
    ...stale.map((skill) => ({ skill, mark: 'stale' as const })),
    ...pinned.map((skill) => ({ skill, mark: 'pinned' as const })),
  ];
  return (
    <Section title={text.marked} count={marked.length} flush>
      {marked.length ? (
        <Table
          label={text.marked}
          items={marked}
          keyOf={({ skill, mark }) => `${mark} ${skill}`}
          columns={[
            {
              key: 'skill',
              title: text.columns.name,
              cell: ({ skill }) => <Link to={skillAddress(skill)}>{skill}</Link>,
            },
            {
              key: 'mark',
              title: text.mark,
              cell: ({ mark }) => (
                <Badge tone={mark === 'demoted' ? 'warn' : 'quiet'}>{words.mark[mark]}</Badge>
              ),
            },
            { key: 'why', title: text.why, cell: ({ why }) => <span className="wrap">{why ?? '–'}</span> },
            {
              key: 'act',
              title: text.act,
              number: true,
              cell: (each) =>
                may && each.mark !== 'stale' ? (
                  <Button
                    small
                    busy={lift.isPending && lift.variables === each}
                    onClick={() => lift.mutate(each)}
                  >
                    {each.mark === 'pinned' ? text.unpin : text.restore}
                  </Button>
                ) : null,
            },
          ]}
        />
      ) : (
        <Empty title={text.markedNone} />
      )}
      <Refused error={lift.error} />
    </Section>
  );
}

function Proposals({ proposals }: Pick<LearningView, 'proposals'>) {
  const text = useText(skillsText);
  const formats = useFormats();
  return (
    <Section title={text.proposals} count={proposals.length} flush>
      {proposals.length ? (
        <>
          <p className="muted kinds-note">{text.proposalsNote}</p>
          <Table
            label={text.proposals}
            items={proposals}
            keyOf={({ id }) => id}
            columns={[
              {
                key: 'skill',
                title: text.columns.name,
                cell: ({ skill, accepted }) => (
                  <span className="row">
                    <Badge tone={accepted ? 'ok' : 'quiet'}>{accepted ? text.accepted : text.rejected}</Badge>
                    {skill}
                  </span>
                ),
              },
              {
                key: 'what',
                title: text.what,
                cell: ({ kind, what, why }) => (
                  <div className="wrap">
                    {text.proposal[kind]}: {what}
                    <div className="muted">{why}</div>
                  </div>
                ),
              },
              {
                key: 'score',
                title: text.score,
                number: true,
                cell: ({ before, after }) => `${formats.number(before)} → ${formats.number(after)}`,
              },
              { key: 'tasks', title: text.triedOn, number: true, wide: true, cell: ({ tasks }) => tasks },
              { key: 'when', title: text.when, wide: true, cell: ({ at }) => <Time at={at} /> },
            ]}
          />
        </>
      ) : (
        <Empty title={text.proposalsNone} />
      )}
    </Section>
  );
}
