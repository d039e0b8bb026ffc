import type { FoundEntry } from '#spec/api';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'react-router';
import type { MemoryEntry } from '#spec/data';
import { useFormats, useText } from '../../domains/language/language.tsx';
import { memoryApi, memoryQueries } from '../../domains/memory/memory-api.ts';
import { WordDiff } from '../../domains/memory/word-diff.tsx';
import { useMay } from '../../domains/session/session.tsx';
import { sessionAddress } from '../../domains/sessions/session-address.ts';
import { skillAddress } from '../../domains/skills/marks.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import type { Tone } from '../../ui/classes.ts';
import { Copy } from '../../ui/copy.tsx';
import { Meter } from '../../ui/meter.tsx';
import { Facts, Section } from '../../ui/page.tsx';
import { Loaded, Refused } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { ScoreParts } from './bars.tsx';
import { EntryActions } from './entry-actions.tsx';
import { scopeName } from './scope-name.ts';
import { memoryText } from './text.ts';
import { useMemoryChange } from './use-memory-change.ts';

const STATE_TONE: Readonly<Record<MemoryEntry['state'], Tone>> = {
  active: 'ok',
  replaced: 'quiet',
  forgotten: 'warn',
};

/** As in the style sheet. */
const BELOW = '(max-width: 1080px)';

/** One entry: what it says, why it was found, where it comes from, how far it is believed, how it came to be. */
export function EntryPanel(props: {
  readonly id: string;
  readonly found: FoundEntry | undefined;
  readonly onOpen: (id: string) => void;
  readonly onGone: () => void;
}) {
  const text = useText(memoryText);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Where it stands below the list, whoever chose an entry wants to see it.
    if (props.id && matchMedia(BELOW).matches) place.current?.scrollIntoView({ behavior: 'smooth' });
  }, [props.id]);
  return (
    <div ref={place} className="entry-panel">
      <Section title={text.entry.title}>
        {props.id ? <Opened key={props.id} {...props} /> : <p className="muted">{text.entry.pick}</p>}
      </Section>
    </div>
  );
}

function Opened({ id, found, onOpen, onGone }: Parameters<typeof EntryPanel>[0]) {
  const text = useText(memoryText);
  const query = useQuery(memoryQueries.versions(id));
  return (
    <Loaded query={query}>
      {(versions) => {
        const entry = versions.find((each) => each.id === id) ?? versions[0];
        const newest = versions[0];
        if (!entry) return null;
        return (
          <div className="stack-16">
            <div className="row">
              <Badge>{text.kinds[entry.kind]}</Badge>
              <Badge tone={STATE_TONE[entry.state]}>{text.states[entry.state]}</Badge>
              <code className="muted wrap">{entry.id}</code>
              <Copy text={() => entry.text} />
            </div>
            <p className="entry-text">{entry.text}</p>
            {newest && newest.id !== entry.id ? (
              <Button small onClick={() => onOpen(newest.id)}>
                {text.entry.newest}
              </Button>
            ) : null}
            <EntryActions entry={entry} onOpen={onOpen} onGone={onGone} />
            {found?.shares && found.score !== undefined ? <WhyFound found={found} /> : null}
            <Trust entry={entry} />
            <Origin entry={entry} />
            <Versions versions={versions} current={entry} onOpen={onOpen} />
          </div>
        );
      }}
    </Loaded>
  );
}

function WhyFound({ found }: { readonly found: FoundEntry }) {
  const text = useText(memoryText);
  const formats = useFormats();
  const { shares = {}, score = 0, matched = [], coverage, similarity } = found;
  return (
    <div className="stack">
      <h3>{text.entry.whyFound}</h3>
      <ScoreParts shares={shares} score={score} />
      {matched.length ? (
        <div className="row">
          <span className="muted">{text.entry.matched}:</span>
          {matched.map((word) => (
            <Badge key={word}>{word}</Badge>
          ))}
          {coverage === undefined ? null : (
            <span className="muted">
              {formats.percent(coverage)} {text.entry.coverage}
            </span>
          )}
        </div>
      ) : null}
      {similarity === undefined ? null : (
        <p className="muted">
          {text.entry.similarity}: {formats.number(similarity)}
        </p>
      )}
    </div>
  );
}

function Trust({ entry }: { readonly entry: MemoryEntry }) {
  const text = useText(memoryText);
  const may = useMay('operator');
  const rate = useMemoryChange((helpful: boolean) => memoryApi.feedback(entry.id, helpful));
  return (
    <div className="stack">
      <h3>{text.entry.trust}</h3>
      <div className="row">
        <span className="trust wide-trust">
          <Meter value={entry.trust} most={1} tone={entry.trust < 0.4 ? 'warn' : 'quiet'} mark={0.4} />
          <span className="num">{entry.trust.toFixed(2)}</span>
        </span>
        {may && entry.state === 'active' ? (
          <>
            <Button small busy={rate.isPending} onClick={() => rate.mutate(true)}>
              {text.entry.helpful}
            </Button>
            <Button small busy={rate.isPending} onClick={() => rate.mutate(false)}>
              {text.entry.wrong}
            </Button>
          </>
        ) : null}
      </div>
      <p className="muted">{text.entry.trustHint}</p>
      <Refused error={rate.error} />
    </div>
  );
}

function Origin({ entry }: { readonly entry: MemoryEntry }) {
  const text = useText(memoryText);
  const { by, session, turn, incident, skill } = entry.provenance;
  const { speaker, previous, next } = entry.context ?? {};
  const from: ReactNode = (
    <span className="row">
      {text.by[by]}
      {session ? (
        <Link to={sessionAddress(session)}>
          {text.entry.session} {session}
        </Link>
      ) : null}
      {turn === undefined ? null : <span>{text.entry.turn(turn)}</span>}
      {incident ? (
        <Link to={`/incidents/${encodeURIComponent(incident)}`}>
          {text.entry.incident} {incident}
        </Link>
      ) : null}
      {skill ? (
        <Link to={skillAddress(skill)}>
          {text.entry.skill} {skill}
        </Link>
      ) : null}
    </span>
  );
  const items: (readonly [string, ReactNode] | undefined)[] = [
    [text.entry.scope, scopeName(entry.scope, text.scope)],
    entry.key ? [text.entry.key, <code key="key">{entry.key}</code>] : undefined,
    [text.entry.from, from],
    [text.entry.said, <Time key="said" at={entry.at} />],
    [text.entry.written, <Time key="written" at={entry.updatedAt} />],
    [
      text.entry.used,
      <span key="used">
        {entry.accesses ? text.entry.times(entry.accesses) : text.entry.never}
        {entry.accessedAt === undefined ? null : (
          <>
            , {text.entry.last} <Time at={entry.accessedAt} ago />
          </>
        )}
      </span>,
    ],
    [
      text.entry.expires,
      entry.expiresAt === undefined ? text.entry.noExpiry : <Time key="expires" at={entry.expiresAt} />,
    ],
    speaker ? [text.entry.speaker, speaker] : undefined,
    previous ? [text.entry.previous, <q key="previous">{previous}</q>] : undefined,
    next ? [text.entry.next, <q key="next">{next}</q>] : undefined,
  ];
  return <Facts items={items.filter((item) => item !== undefined)} />;
}

function Versions(props: {
  readonly versions: readonly MemoryEntry[];
  readonly current: MemoryEntry;
  readonly onOpen: (id: string) => void;
}) {
  const { versions, current, onOpen } = props;
  const text = useText(memoryText);
  const may = useMay('operator');
  const newest = versions[0];
  const back = useMemoryChange(
    ({ text: said, language }: { text: string; language: 'en' | 'zh' }) =>
      memoryApi.edit(newest?.id ?? '', said, language),
    (entry) => onOpen(entry.id),
  );
  if (versions.length < 2) return null;
  return (
    <div className="stack">
      <h3>{text.entry.versions}</h3>
      <ol className="versions">
        {versions.map((version, index) => (
          <li key={version.id} aria-current={version.id === current.id || undefined}>
            <div className="row">
              <strong>{text.entry.version(version.version)}</strong>
              <span className="muted">
                {text.by[version.provenance.by]}, <Time at={version.createdAt} />
              </span>
              {may && index > 0 && newest?.state === 'active' && version.text !== newest.text ? (
                <Button
                  small
                  busy={back.isPending}
                  onClick={() => back.mutate({ text: version.text, language: back.language })}
                >
                  {text.entry.again}
                </Button>
              ) : null}
            </div>
            {index === versions.length - 1 ? (
              <p className="wrap">{version.text}</p>
            ) : (
              <WordDiff before={versions[index + 1]?.text ?? ''} after={version.text} />
            )}
          </li>
        ))}
      </ol>
      <Refused error={back.error} />
    </div>
  );
}
