import type { Notebook, NotebookVersion } from '#spec/api';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLanguage, useText } from '../../domains/language/language.tsx';
import { memoryApi, memoryQueries } from '../../domains/memory/memory-api.ts';
import { WordDiff } from '../../domains/memory/word-diff.tsx';
import { useMay } from '../../domains/session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Loaded, Refused } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { memoryText } from './text.ts';
import { useMemoryChange } from './use-memory-change.ts';

interface PastProps {
  readonly notebook: Notebook;
  readonly of: string | undefined;
}

/** What a notebook was before its last edits. Asked for when somebody wants to see it. */
export function NotebookPast(props: PastProps) {
  const text = useText(memoryText);
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="muted">{text.notebook.past}</summary>
      {open ? <Versions {...props} /> : null}
    </details>
  );
}

function Versions({ notebook, of }: PastProps) {
  const text = useText(memoryText);
  const query = useQuery(memoryQueries.notebookPast(notebook.name, of));
  return (
    <Loaded query={query}>
      {(versions) =>
        versions.length ? (
          <ol className="note-list">
            {versions.map((version) => (
              <Version key={version.version} version={version} notebook={notebook} of={of} />
            ))}
          </ol>
        ) : (
          <p className="muted">{text.notebook.noPast}</p>
        )
      }
    </Loaded>
  );
}

function Version({ version, notebook, of }: PastProps & { readonly version: NotebookVersion }) {
  const text = useText(memoryText);
  const { language } = useLanguage();
  const may = useMay('operator');
  const back = useMemoryChange(() => memoryApi.restoreNotebook(notebook.name, version.version, of, language));
  const now = notebook.entries.map((entry) => entry.text).join('\n');
  const then = version.entries.join('\n');
  return (
    <li>
      <div className="row spread">
        <span className="muted">
          {text.notebook.until} <Time at={version.until} />
        </span>
        {may && then !== now ? (
          <Button small busy={back.isPending} onClick={() => back.mutate(undefined)}>
            {text.notebook.restore}
          </Button>
        ) : null}
      </div>
      <WordDiff before={now} after={then} />
      <Refused error={back.error} />
    </li>
  );
}
