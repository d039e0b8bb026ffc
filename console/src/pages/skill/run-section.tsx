import type { RunView, SkillPage } from '#spec/api';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { useFormats, useLanguage, useText } from '../../domains/language/language.tsx';
import { useMay } from '../../domains/session/session.tsx';
import { RunMark } from '../../domains/skills/marks.tsx';
import { skillQueries, skillsApi } from '../../domains/skills/skills-api.ts';
import { Button } from '../../ui/button.tsx';
import { Markdown } from '../../ui/markdown/markdown.tsx';
import { Facts, Section } from '../../ui/page.tsx';
import { Loaded, Refused } from '../../ui/states.tsx';
import { Time, useNow } from '../../ui/time.tsx';
import { StepGraph } from './procedure-section.tsx';
import { RunSteps } from './run-steps.tsx';
import { skillText } from './text.ts';
import { Waiting } from './waiting.tsx';

interface RunSectionProps {
  readonly id: string;
  readonly page: SkillPage;
  readonly onClose: () => void;
  readonly onShow: (id: string) => void;
}

/** One run, step by step, as it goes. */
export function RunSection({ id, page, onClose, onShow }: RunSectionProps) {
  const { one: text } = useText(skillText);
  const client = useQueryClient();
  const query = useQuery(skillQueries.run(id));
  const state = query.data?.state;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // It stands above the list that it was chosen from.
    place.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  useEffect(() => {
    // What it came to counts as a use, and stands in the list.
    if (state !== undefined && state !== 'running')
      void client.invalidateQueries({
        queryKey: ['skills'],
        predicate: ({ queryKey }) => queryKey[1] !== 'run',
      });
  }, [client, state]);
  return (
    <div ref={place}>
      <Section
        title={text.title}
        actions={
          <span className="row">
            {query.data ? <Moves run={query.data} /> : null}
            <Button small look="plain" onClick={onClose}>
              {text.close}
            </Button>
          </span>
        }
      >
        <Loaded query={query}>{(run) => <Run run={run} page={page} onShow={onShow} />}</Loaded>
      </Section>
    </div>
  );
}

/** Ending a run, and going on with one that was left. */
function Moves({ run }: { readonly run: RunView }) {
  const { one: text } = useText(skillText);
  const may = useMay('operator');
  const client = useQueryClient();
  const move = useMutation({
    mutationFn: (verb: 'cancel' | 'resume') => skillsApi.move(run.id, verb),
    onSettled: () => client.invalidateQueries({ queryKey: ['skills'] }),
  });
  if (!may || run.state !== 'running') return null;
  const button = (verb: 'cancel' | 'resume') => (
    <Button
      small
      look={verb === 'cancel' ? 'danger' : undefined}
      busy={move.isPending && move.variables === verb}
      onClick={() => move.mutate(verb)}
    >
      {text[verb]}
    </Button>
  );
  return (
    <>
      {run.here ? null : button('resume')}
      {button('cancel')}
      <Refused error={move.error} />
    </>
  );
}

function Run({ run, page, onShow }: { readonly run: RunView } & Pick<RunSectionProps, 'page' | 'onShow'>) {
  const { one: text } = useText(skillText);
  const formats = useFormats();
  const now = useNow(1_000);
  const states = useMemo(() => new Map(run.steps.map(({ id, state }) => [id, state])), [run.steps]);
  const args = Object.entries(run.args);
  return (
    <div className="stack-16">
      <div className="row">
        <RunMark state={run.state} />
        <code className="muted">{run.id}</code>
        <span>
          <span className="muted">{text.started}</span> <Time at={run.startedAt} />
        </span>
        <span>
          <span className="muted">{text.took}</span> {formats.duration((run.endedAt ?? now) - run.startedAt)}
        </span>
        <span>
          <span className="muted">{text.by}</span> {run.by.user}{' '}
          <span className="muted">{run.by.platform}</span>
        </span>
      </div>
      {run.state === 'running' && !run.here ? <div className="notice">{text.left}</div> : null}
      <Waiting run={run} />
      <Failure run={run} />
      {page.plan && page.plan.steps.length > 1 ? <StepGraph steps={page.plan.steps} states={states} /> : null}
      <RunSteps run={run} now={now} again={<GoOn run={run} onShow={onShow} />} />
      <Facts
        items={[
          ...(args.length ? [[text.args, <code key="args">{JSON.stringify(run.args)}</code>] as const] : []),
          ...(run.backend === undefined ? [] : [[text.backend, run.backend] as const]),
          ...(run.from ? [[text.from, `${run.from.step} (${run.from.run})`] as const] : []),
        ]}
      />
      {run.text === undefined ? null : (
        <div className="stack">
          <h3>{text.result}</h3>
          <div className="run-result">
            <Markdown text={run.text} top={4} />
          </div>
        </div>
      )}
    </div>
  );
}

function Failure({ run: { failure, problem, warnings } }: { readonly run: RunView }) {
  const { one: text } = useText(skillText);
  const message = failure?.message ?? problem;
  return (
    <>
      {message === undefined ? null : (
        <div className="notice bad">
          {failure?.step === undefined ? null : <strong>{failure.step}: </strong>}
          <span className="wrap pre-line">{message}</span>
        </div>
      )}
      {warnings.length ? (
        <div className="notice warn">
          <strong>{text.warnings}</strong>
          {warnings.map((warning) => (
            <div key={warning} className="wrap">
              {warning}
            </div>
          ))}
        </div>
      ) : null}
    </>
  );
}

/** Another run from a step on, with what this one had made before it. */
const GoOn = ({ run, onShow }: { readonly run: RunView; readonly onShow: (id: string) => void }) => {
  const may = useMay('operator');
  const canGoOn = may && run.state !== 'running' && run.state !== 'done' && run.state !== 'shown';
  return canGoOn ? <Again run={run} onShow={onShow} /> : null;
};

function Again({ run, onShow }: { readonly run: RunView; readonly onShow: (id: string) => void }) {
  const { one: text } = useText(skillText);
  const { language } = useLanguage();
  const stuck = run.steps.find(
    ({ state }) => state === 'failed' || state === 'refused' || state === 'uncertain',
  );
  const step = stuck ?? run.steps.find(({ state }) => state === 'pending');
  const again = useMutation({
    mutationFn: (name: string) =>
      skillsApi.start(run.skill, {
        args: run.args,
        dryRun: run.dryRun,
        fresh: true,
        language,
        from: { step: name, run: run.id },
        ...(run.backend === undefined ? {} : { backend: run.backend }),
      }),
    onSuccess: ({ run: id }) => onShow(id),
  });
  if (!step) return null;
  return (
    <div className="row">
      <Button small busy={again.isPending} onClick={() => again.mutate(step.name)}>
        {text.goOn}: {step.name}
      </Button>
      <Refused error={again.error} />
    </div>
  );
}
