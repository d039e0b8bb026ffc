import type { Notebook, NotebookChange, NotebookEntry } from '#spec/api';
import { useState } from 'react';
import { useFormats, useLanguage, useText } from '../../domains/language/language.tsx';
import { memoryApi } from '../../domains/memory/memory-api.ts';
import { useMay } from '../../domains/session/session.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Meter } from '../../ui/meter.tsx';
import { Section } from '../../ui/page.tsx';
import { Refused } from '../../ui/states.tsx';
import { type NotebookAsked, NotebookDialog } from './notebook-dialog.tsx';
import { NotebookPast } from './notebook-past.tsx';
import { undoOf } from './undo-of.ts';
import { memoryText } from './text.ts';
import { useMemoryChange } from './use-memory-change.ts';

interface Done {
  readonly notebook: Notebook;
  readonly said: string;
  readonly undo: ReturnType<typeof undoOf>;
}

/** What every conversation begins with. An edit is shown before it is made, and can be taken back right after. */
export function Notebooks({
  notebooks,
  of,
}: {
  readonly notebooks: readonly Notebook[];
  readonly of: string | undefined;
}) {
  const text = useText(memoryText);
  const [asked, setAsked] = useState<NotebookAsked>();
  const [done, setDone] = useState<Done>();
  return (
    <div className="stack">
      <p className="muted">{text.notebook.frozen}</p>
      {done ? <Afterwards done={done} of={of} onDone={() => setDone(undefined)} /> : null}
      <div className="notebooks">
        {notebooks.map((notebook) => (
          <Book key={notebook.name} notebook={notebook} of={of} onAsk={setAsked} />
        ))}
      </div>
      {asked ? (
        <NotebookDialog
          asked={asked}
          of={of}
          onClose={() => setAsked(undefined)}
          onDone={(changed) => {
            setDone({ notebook: asked.notebook, said: changed.said, undo: undoOf(changed) });
            setAsked(undefined);
          }}
        />
      ) : null}
    </div>
  );
}

/** What was done, and the way back while nothing else happened to the entry. */
function Afterwards(props: {
  readonly done: Done;
  readonly of: string | undefined;
  readonly onDone: () => void;
}) {
  const { done, of, onDone } = props;
  const { notebook, said, undo } = done;
  const text = useText(memoryText);
  const { language } = useLanguage();
  const back = useMemoryChange(
    (change: NotebookChange) => memoryApi.change(notebook.name, change, language, false),
    onDone,
  );
  const take = async () => {
    if (undo) back.mutate({ ...(await undo()), ...(of === undefined ? {} : { of }) });
  };
  return (
    <div className="notice ok" role="status">
      <div className="row spread">
        <span className="wrap">{said}</span>
        <span className="row">
          {undo ? (
            <Button small busy={back.isPending} onClick={() => void take()}>
              {text.notebook.undo}
            </Button>
          ) : null}
          <Button small look="plain" onClick={onDone}>
            {text.close}
          </Button>
        </span>
      </div>
      <Refused error={back.error} />
    </div>
  );
}

function Book({
  notebook,
  of,
  onAsk,
}: {
  readonly notebook: Notebook;
  readonly of: string | undefined;
  readonly onAsk: (asked: NotebookAsked) => void;
}) {
  const text = useText(memoryText);
  const formats = useFormats();
  const may = useMay('operator');
  const { name, file, team, used, limit, entries } = notebook;
  return (
    <Section
      title={file}
      count={entries.length}
      actions={
        <span className="row">
          <Badge>{team ? text.notebook.team : text.notebook.personal}</Badge>
          {may ? (
            <Button small onClick={() => onAsk({ action: 'add', notebook })}>
              {text.notebook.add}
            </Button>
          ) : null}
        </span>
      }
    >
      <div className="stack">
        <p className="muted">{text.notebook.holds[name]}</p>
        <div className="fill">
          <Meter value={used} most={limit} tone={used > limit * 0.9 ? 'warn' : 'quiet'} />
          <span className="muted nowrap">
            {formats.percent(Math.round((used / limit) * 100) / 100)} ·{' '}
            {text.notebook.chars(formats.number(used), formats.number(limit))}
          </span>
        </div>
        {entries.length ? (
          <ul className="note-list">
            {entries.map((entry) => (
              <Note key={entry.id} entry={entry} notebook={notebook} onAsk={may ? onAsk : undefined} />
            ))}
          </ul>
        ) : (
          <p className="muted">{text.notebook.empty}</p>
        )}
        <NotebookPast notebook={notebook} of={of} />
      </div>
    </Section>
  );
}

function Note(props: {
  readonly entry: NotebookEntry;
  readonly notebook: Notebook;
  readonly onAsk: ((asked: NotebookAsked) => void) | undefined;
}) {
  const { entry, notebook, onAsk } = props;
  const text = useText(memoryText);
  return (
    <li>
      <div className="entry-text">{entry.text}</div>
      {entry.refused === undefined ? null : (
        <div className="row">
          <Badge tone="warn">{text.notebook.left}</Badge>
          <span className="wrap muted">{entry.refused}</span>
        </div>
      )}
      {onAsk ? (
        <div className="row">
          <Button small look="plain" onClick={() => onAsk({ action: 'replace', notebook, entry })}>
            {text.notebook.edit}
          </Button>
          <Button small look="plain" onClick={() => onAsk({ action: 'remove', notebook, entry })}>
            {text.notebook.remove}
          </Button>
        </div>
      ) : null}
    </li>
  );
}
