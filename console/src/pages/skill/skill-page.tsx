import type { SkillPage as SkillData } from '#spec/api';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import { useCommands } from '../../domains/keys/commands.tsx';
import { useLanguage, useText } from '../../domains/language/language.tsx';
import { useMay } from '../../domains/session/session.tsx';
import { Edits } from '../../domains/skills/edits.tsx';
import { SkillMarks, useHiddenWords } from '../../domains/skills/marks.tsx';
import { skillQueries, skillsApi } from '../../domains/skills/skills-api.ts';
import { skillWords } from '../../domains/skills/text.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { ErrorNote, Loading, Refused } from '../../ui/states.tsx';
import { About, InstalledSection, Origins } from './about.tsx';
import { CurveSection } from './curve-section.tsx';
import { ProcedureSection } from './procedure-section.tsx';
import { RunSection } from './run-section.tsx';
import { RunsSection } from './runs-section.tsx';
import { StartRun } from './start-run.tsx';
import { skillText } from './text.ts';
import { VersionsSection } from './versions-section.tsx';
import './skill.css';

/** One skill: what it says, how it does, what it was, and its runs. */
export default function SkillPage() {
  const { name = '' } = useParams();
  const text = useText(skillText);
  const { language } = useLanguage();
  const { data, error, refetch } = useQuery(skillQueries.skill(name, language));
  if (data) return <Content key={data.skill.name} page={data} />;
  return (
    <Page title={text.group}>
      {error ? <ErrorNote error={error} again={() => void refetch()} /> : <Loading />}
    </Page>
  );
}

function Content({ page }: { readonly page: SkillData }) {
  const { skill } = page;
  const text = useText(skillText);
  const words = useText(skillWords);
  const may = useMay('operator');
  const [params, setParams] = useSearchParams();
  const [starting, setStarting] = useState(false);
  const run = params.get('run');
  const show = (id: string | undefined) => setParams(id === undefined ? {} : { run: id });
  const canRun = may && page.plan !== undefined;
  useCommands(
    canRun
      ? [{ id: 'run-skill', label: text.run, group: text.group, keys: 'r', run: () => setStarting(true) }]
      : [],
  );
  return (
    <Page
      title={skill.name}
      mark={
        <>
          <Badge>{words.form[skill.form]}</Badge>
          <Badge>{skill.version}</Badge>
          <SkillMarks skill={skill} />
        </>
      }
      actions={
        <>
          <Standing skill={skill} />
          {canRun ? (
            <Button look="primary" onClick={() => setStarting(true)}>
              {text.run}
            </Button>
          ) : null}
        </>
      }
    >
      <nav className="muted skill-crumbs" aria-label={text.skills}>
        <Link to="/skills">{text.skills}</Link> / {skill.category}
      </nav>
      <p className="wrap">{skill.description}</p>
      <Notes page={page} />
      {run === null ? null : (
        <RunSection key={run} id={run} page={page} onClose={() => show(undefined)} onShow={show} />
      )}
      <div className="skill-columns">
        <div className="stack-16">
          <ProcedureSection page={page} />
          <CurveSection page={page} />
          {skill.form === 'workflow' ? <RunsSection skill={skill.name} current={run} onShow={show} /> : null}
          <VersionsSection page={page} />
        </div>
        <div className="stack-16">
          <About page={page} />
          <Origins origins={page.origins} />
          {page.installed ? <InstalledSection installed={page.installed} /> : null}
          <SkillEdits name={skill.name} />
        </div>
      </div>
      {starting && page.plan ? (
        <StartRun name={skill.name} plan={page.plan} onClose={() => setStarting(false)} onStarted={show} />
      ) : null}
    </Page>
  );
}

/** Pinning, and taking a demotion back. */
function Standing({ skill }: Pick<SkillData, 'skill'>) {
  const text = useText(skillText);
  const may = useMay('operator');
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (what: 'pin' | 'restore') =>
      what === 'pin' ? skillsApi.pin(skill.name, !skill.pinned) : skillsApi.restore(skill.name),
    onSettled: () => client.invalidateQueries({ queryKey: ['skills'] }),
  });
  if (!may) return null;
  return (
    <>
      {skill.demoted ? (
        <Button busy={change.isPending} onClick={() => change.mutate('restore')}>
          {text.restore}
        </Button>
      ) : null}
      {skill.trust === 'own' || skill.pinned ? (
        <Button busy={change.isPending} title={text.pinHint} onClick={() => change.mutate('pin')}>
          {skill.pinned ? text.unpin : text.pin}
        </Button>
      ) : null}
      <Refused error={change.error} />
    </>
  );
}

/** What keeps it from being offered or from working. */
function Notes({ page: { skill, unset } }: { readonly page: SkillData }) {
  const text = useText(skillText);
  const told = useHiddenWords();
  return (
    <>
      {skill.demoted ? (
        <div className="notice warn">
          {text.demoted} {skill.demoted.why}
        </div>
      ) : null}
      {skill.hidden.length ? (
        <div className="notice">
          {text.hidden} {skill.hidden.map(told).join('; ')}
        </div>
      ) : null}
      {unset.length ? (
        <div className="notice">
          {text.unset} <code>{unset.join(', ')}</code>
        </div>
      ) : null}
    </>
  );
}

function SkillEdits({ name }: { readonly name: string }) {
  const text = useText(skillText);
  const edits = useQuery(skillQueries.learning()).data?.ledger.filter(({ skill }) => skill === name) ?? [];
  if (!edits.length) return null;
  return (
    <Section title={text.edits} count={edits.length} flush>
      <Edits edits={edits} named={false} />
    </Section>
  );
}
