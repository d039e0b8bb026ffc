import type { Installed, SkillOrigin, SkillPage } from '#spec/api';
import { Link } from 'react-router';
import { useText } from '../../domains/language/language.tsx';
import { skillWords } from '../../domains/skills/text.ts';
import { VERDICT_TONE } from '../../domains/skills/tones.ts';
import { Badge, Dot } from '../../ui/badge.tsx';
import { OutLink } from '../../ui/link.tsx';
import { Facts, Section } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { skillText } from './text.ts';

export function About({ page: { skill } }: { readonly page: SkillPage }) {
  const { about: text } = useText(skillText);
  const words = useText(skillWords);
  const { keywords, filePatterns, contextSignals } = skill.triggers;
  const found = [...keywords, ...filePatterns, ...contextSignals];
  const needs = [...skill.needs.tools, ...skill.needs.toolsets, ...skill.needs.variables];
  return (
    <Section title={text.title}>
      <Facts
        items={[
          [text.form, words.form[skill.form]],
          [text.category, skill.category],
          [text.origin, words.trust[skill.trust]],
          [text.file, <code key="file">{`${words.root[skill.root]}/${skill.path}`}</code>],
          [text.uses, skill.uses ? text.used(skill.successes, skill.uses) : words.never],
          ...(skill.tags.length ? [[text.tags, skill.tags.join(', ')] as const] : []),
          ...(found.length ? [[text.words, found.join(', ')] as const] : []),
          ...(needs.length ? [[text.needs, <code key="needs">{needs.join(', ')}</code>] as const] : []),
        ]}
      />
    </Section>
  );
}

/** What it was made of, with the way there. */
export function Origins({ origins }: Pick<SkillPage, 'origins'>) {
  const { origins: text } = useText(skillText);
  if (!origins.length) return null;
  return (
    <Section title={text.title} count={origins.length}>
      <div className="stack">
        <p className="muted">{text.note}</p>
        <ul className="stack">
          {origins.map((origin) => (
            <li key={origin.id}>
              <OriginLine origin={origin} />
            </li>
          ))}
        </ul>
      </div>
    </Section>
  );
}

function OriginLine({ origin: { id, kind, at, success, task, session } }: { readonly origin: SkillOrigin }) {
  const { origins: text } = useText(skillText);
  const words = useText(skillWords);
  const to =
    kind === 'incident' && id.startsWith('inc_')
      ? `/incidents/${encodeURIComponent(id)}`
      : kind === 'chat' && session !== undefined
        ? `/sessions/${encodeURIComponent(session)}`
        : undefined;
  return (
    <>
      <div className="row">
        {success === undefined ? null : (
          <Dot tone={success ? 'ok' : 'bad'} label={success ? words.step.done : words.step.failed} />
        )}
        {to === undefined ? <span>{text[kind]}</span> : <Link to={to}>{text[kind]}</Link>}
        <span className="muted">{at === undefined ? <code>{id}</code> : <Time at={at} />}</span>
      </div>
      {task === undefined ? null : <p className="wrap">{task}</p>}
    </>
  );
}

/** Where it came from, whether it is still what was installed, and what the guard has seen in it. */
export function InstalledSection({ installed }: { readonly installed: Installed }) {
  const { installed: text } = useText(skillText);
  const words = useText(skillWords);
  const {
    source,
    publisher,
    commit,
    installedAt,
    updatedAt,
    state,
    verdict,
    verdictNow,
    findings,
    agreedTo,
  } = installed;
  return (
    <Section title={text.title}>
      <div className="stack">
        <Facts
          items={[
            [
              text.source,
              <OutLink key="source" to={source.at}>
                {source.at}
              </OutLink>,
            ],
            ...(publisher ? [[text.publisher, publisher] as const] : []),
            ...(commit === undefined
              ? []
              : [[text.commit, <code key="commit">{commit.slice(0, 12)}</code>] as const]),
            [text.when, <Time key="when" at={installedAt} />],
            ...(updatedAt === undefined
              ? []
              : [[text.updated, <Time key="updated" at={updatedAt} />] as const]),
            [
              text.state,
              <Badge key="state" tone={state === 'intact' ? 'ok' : 'warn'}>
                {words.installed[state]}
              </Badge>,
            ],
            [
              text.verdict,
              <span key="verdict" className="row">
                <Badge tone={VERDICT_TONE[verdictNow]}>{words.verdict[verdictNow]}</Badge>
                {verdict === verdictNow ? null : (
                  <span className="muted">
                    {text.whenInstalled}: {words.verdict[verdict]}
                  </span>
                )}
              </span>,
            ],
          ]}
        />
        {installed.changes.length ? (
          <>
            <h3>{text.changes}</h3>
            <ul>
              {installed.changes.map(({ path, change }) => (
                <li key={path} className="wrap">
                  <code>{path}</code> <span className="muted">{change}</span>
                </li>
              ))}
            </ul>
          </>
        ) : null}
        <h3>{text.findings}</h3>
        {findings.length ? (
          <ul className="stack">
            {findings.map(({ path, line, rule, severity, shown }) => (
              <li key={`${path}:${line} ${rule}`} className="stack tight">
                <span className="row">
                  <Badge tone={severity === 'notice' ? 'quiet' : VERDICT_TONE[severity]}>{rule}</Badge>
                  <code className="muted">{`${path}:${line}`}</code>
                  {agreedTo.includes(rule) ? <span className="muted">{text.agreed}</span> : null}
                </span>
                <code className="code">{shown}</code>
              </li>
            ))}
          </ul>
        ) : (
          <p className="muted">{text.none}</p>
        )}
      </div>
    </Section>
  );
}
