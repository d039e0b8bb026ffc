import type { Plan, PlannedStep, SkillPage, StepState } from '#spec/api';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import { useFormats, useText } from '../../domains/language/language.tsx';
import { skillAddress } from '../../domains/skills/marks.tsx';
import { skillQueries } from '../../domains/skills/skills-api.ts';
import { skillWords } from '../../domains/skills/text.ts';
import { Badge } from '../../ui/badge.tsx';
import { Copy } from '../../ui/copy.tsx';
import { Graph } from '../../ui/graph.tsx';
import { Markdown } from '../../ui/markdown/markdown.tsx';
import { Section } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { type Tab, Tabs } from '../../ui/tabs.tsx';
import { planGraph } from './plan-graph.ts';
import { skillText } from './text.ts';

type View = 'read' | 'source' | 'files';

/** What the skill says: a document as text, a workflow as steps; the file itself, and those beside it. */
export function ProcedureSection({ page }: { readonly page: SkillPage }) {
  const { procedure: text } = useText(skillText);
  const [view, setView] = useState<View>('read');
  const { plan, planProblem, skill } = page;
  const tabs: readonly Tab<View>[] = [
    {
      value: 'read',
      label: skill.form === 'workflow' ? text.steps : text.text,
      render: () =>
        plan ? (
          <Steps plan={plan} />
        ) : planProblem === undefined ? (
          <Body page={page} />
        ) : (
          <Broken problem={planProblem} />
        ),
    },
    {
      value: 'source',
      label: text.source,
      render: () => (
        <div className="stack">
          <div className="row spread">
            <code className="muted wrap">{skill.path}</code>
            <Copy text={() => page.source} file={skill.path.split('/').at(-1) ?? skill.name} />
          </div>
          <pre className="code skill-source" tabIndex={0} aria-label={skill.path}>
            {page.source}
          </pre>
        </div>
      ),
    },
    ...(page.files.length
      ? [
          {
            value: 'files' as const,
            label: `${text.files} (${page.files.length})`,
            render: () => <Files page={page} />,
          },
        ]
      : []),
  ];
  return (
    <Section title={text.title}>
      <Tabs<View> label={text.views} tabs={tabs} value={view} onChange={setView} />
    </Section>
  );
}

function Body({ page: { body, skill } }: { readonly page: SkillPage }) {
  const { procedure: text } = useText(skillText);
  return (
    <div className="stack">
      <Markdown text={body} />
      {skill.includes?.length ? (
        <p>
          <span className="muted">{text.includes}:</span>{' '}
          {skill.includes.map((name) => (
            <Link key={name} to={skillAddress(name)} className="include">
              {name}
            </Link>
          ))}
        </p>
      ) : null}
    </div>
  );
}

function Broken({ problem }: { readonly problem: string }) {
  const { procedure: text } = useText(skillText);
  return (
    <div className="notice bad">
      <strong>{text.problems}</strong>
      <div className="wrap">{problem}</div>
    </div>
  );
}

function Files({ page: { files, skill } }: { readonly page: SkillPage }) {
  const [open, setOpen] = useState<string>();
  return (
    <ul className="stack">
      {files.map((path) => (
        <li key={path}>
          <details open={open === path} onToggle={(event) => event.currentTarget.open && setOpen(path)}>
            <summary>
              <code>{path}</code>
            </summary>
            {open === path ? <File name={skill.name} path={path} /> : null}
          </details>
        </li>
      ))}
    </ul>
  );
}

function File({ name, path }: { readonly name: string; readonly path: string }) {
  return (
    <Loaded query={useQuery(skillQueries.file(name, path))}>
      {({ text }) => (
        <pre className="code skill-source" tabIndex={0} aria-label={path}>
          {text}
        </pre>
      )}
    </Loaded>
  );
}

const isNarrow = () => window.matchMedia('(max-width: 720px)').matches;

/** The steps as a graph, as wide as it has to be to be read. */
export function StepGraph({
  steps,
  states,
}: {
  readonly steps: readonly PlannedStep[];
  readonly states?: ReadonlyMap<string, StepState>;
}) {
  const { procedure: text } = useText(skillText);
  const graph = useMemo(() => planGraph(steps, states), [steps, states]);
  const batches = Map.groupBy(steps, ({ batch }) => batch);
  const widest = Math.max(1, ...[...batches.values()].map(({ length }) => length));
  const narrow = isNarrow();
  const height = narrow ? 60 + batches.size * 92 : 48 + widest * 76;
  return (
    <div className="plan-scroll" role="group" aria-label={text.graph} tabIndex={0}>
      <div style={narrow ? {} : { minWidth: batches.size * 224 }}>
        <Graph label={text.graph} {...graph} height={height} />
      </div>
    </div>
  );
}

function Steps({ plan }: { readonly plan: Plan }) {
  const { procedure: text } = useText(skillText);
  return (
    <div className="stack-16">
      {plan.problems.map(({ problem, fix }) => (
        <Broken key={problem} problem={`${problem}. ${fix}`} />
      ))}
      <StepGraph steps={plan.steps} />
      <Checks title={text.checksBefore} checks={plan.preconditions} />
      <StepTable steps={plan.steps} />
      <Checks title={text.checksAfter} checks={plan.postconditions} />
    </div>
  );
}

function Checks({ title, checks }: { readonly title: string; readonly checks: readonly string[] }) {
  if (!checks.length) return null;
  return (
    <div>
      <h3>{title}</h3>
      <ul>
        {checks.map((check) => (
          <li key={check} className="wrap">
            {check}
          </li>
        ))}
      </ul>
    </div>
  );
}

function StepTable({ steps }: { readonly steps: readonly PlannedStep[] }) {
  const { procedure: text } = useText(skillText);
  const words = useText(skillWords);
  const formats = useFormats();
  return (
    <div className="plan-scroll" role="group" aria-label={text.steps} tabIndex={0}>
      <Table
        label={text.steps}
        items={steps}
        keyOf={({ id }) => id}
        columns={[
          {
            key: 'step',
            title: text.step,
            cell: ({ id, name, action }) => (
              <>
                {id}. {name}
                <div className="muted">{action}</div>
              </>
            ),
          },
          {
            key: 'does',
            title: text.does,
            cell: ({ input, condition, missing }) => (
              <div className="stack tight">
                <code className="code">{input}</code>
                {condition === undefined ? null : (
                  <span className="wrap">
                    <span className="muted">{text.onlyIf}</span> <code>{condition}</code>
                  </span>
                )}
                {missing ? (
                  <span className="wrap tone-warn">
                    {text.missing} {missing.what} {missing.fix}
                  </span>
                ) : null}
              </div>
            ),
          },
          {
            key: 'reach',
            title: text.reach,
            cell: ({ level, asks }) => (
              <div className="stack tight">
                <span>
                  {level === undefined ? <span className="muted">{text.unknown}</span> : words.level[level]}
                </span>
                {asks.map((who) => (
                  <span key={who}>
                    <Badge tone={who === 'confirmation' ? 'warn' : 'quiet'}>{text.asks[who]}</Badge>
                  </span>
                ))}
              </div>
            ),
          },
          {
            key: 'timeout',
            title: text.timeout,
            number: true,
            wide: true,
            cell: ({ timeoutMs }) => formats.duration(timeoutMs),
          },
        ]}
      />
    </div>
  );
}
