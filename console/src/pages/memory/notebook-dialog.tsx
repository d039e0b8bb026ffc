import type { Notebook, NotebookChange, NotebookChanged, NotebookEntry } from '#spec/api';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormats, useLanguage, useText } from '../../domains/language/language.tsx';
import { memoryApi } from '../../domains/memory/memory-api.ts';
import { WordDiff } from '../../domains/memory/word-diff.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Meter } from '../../ui/meter.tsx';
import { Refused } from '../../ui/states.tsx';
import { memoryText } from './text.ts';
import { TextArea } from './text-area.tsx';
import { useMemoryChange } from './use-memory-change.ts';

export interface NotebookAsked {
  readonly action: NotebookChange['action'];
  readonly notebook: Notebook;
  readonly entry?: NotebookEntry;
}

/** An edit in two steps: the text, then exactly what the server would make of it. */
export function NotebookDialog(props: {
  readonly asked: NotebookAsked;
  readonly of: string | undefined;
  readonly onClose: () => void;
  readonly onDone: (changed: NotebookChanged) => void;
}) {
  const { asked, of, onClose, onDone } = props;
  const { action, notebook, entry } = asked;
  const text = useText(memoryText);
  const { language } = useLanguage();
  const [content, setContent] = useState(entry?.text ?? '');
  const change: NotebookChange = {
    action,
    ...(of === undefined ? {} : { of }),
    ...(entry ? { entry: entry.id } : {}),
    ...(action === 'remove' ? {} : { content }),
  };
  const review = useMutation({
    mutationFn: () => memoryApi.change(notebook.name, change, language, true),
  });
  const save = useMemoryChange(() => memoryApi.change(notebook.name, change, language, false), onDone);
  const told = review.data;
  const ready = action === 'remove' || told?.ok === true;
  const title = {
    add: text.notebook.addTitle,
    replace: text.notebook.editTitle,
    remove: text.notebook.removeTitle,
  }[action](notebook.file);
  const sameText = action !== 'remove' && (!content.trim() || content.trim() === entry?.text);
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={told?.ok ? () => review.reset() : onClose}>
            {told?.ok ? text.notebook.back : text.cancel}
          </Button>
          {ready ? (
            <Button
              look={action === 'remove' ? 'danger' : 'primary'}
              busy={save.isPending}
              onClick={() => save.mutate(undefined)}
            >
              {action === 'remove' ? text.notebook.remove : text.save}
            </Button>
          ) : (
            <Button
              look="primary"
              busy={review.isPending}
              disabled={sameText}
              onClick={() => review.mutate()}
            >
              {text.notebook.review}
            </Button>
          )}
        </>
      }
    >
      <div className="stack-16">
        {action === 'remove' ? (
          <WordDiff before={entry?.text ?? ''} after="" />
        ) : told?.ok ? (
          <Told told={told} entry={entry} content={content} />
        ) : (
          <TextArea
            label={text.text}
            value={content}
            onChange={(value) => {
              setContent(value);
              if (told) review.reset();
            }}
          />
        )}
        {told && !told.ok ? (
          <div className="notice bad" role="alert">
            {told.said}
          </div>
        ) : null}
        <Refused error={review.error ?? save.error} />
      </div>
    </Dialog>
  );
}

function Told({
  told,
  entry,
  content,
}: {
  readonly told: NotebookChanged;
  readonly entry: NotebookEntry | undefined;
  readonly content: string;
}) {
  const text = useText(memoryText);
  const formats = useFormats();
  return (
    <>
      <div className="stack">
        <h3>{text.notebook.changes}</h3>
        <WordDiff before={entry?.text ?? ''} after={content.trim()} />
      </div>
      {told.archived.length ? (
        <div className="notice warn">
          <div>{text.notebook.leaves}</div>
          <ul>
            {told.archived.map((each) => (
              <li key={each} className="wrap muted">
                {each}
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      <div className="fill">
        <Meter value={told.used} most={told.limit} />
        <span className="muted nowrap">
          {text.notebook.fill}: {text.notebook.chars(formats.number(told.used), formats.number(told.limit))}
        </span>
      </div>
    </>
  );
}
