import { useState } from 'react';
import type { MemoryEntry, MemoryKind } from '#spec/data';
import { useLanguage, useText } from '../../domains/language/language.tsx';
import { memoryApi } from '../../domains/memory/memory-api.ts';
import { WordDiff } from '../../domains/memory/word-diff.tsx';
import { useMay } from '../../domains/session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { Refused } from '../../ui/states.tsx';
import { scopeName } from './scope-name.ts';
import { memoryText } from './text.ts';
import { TextArea } from './text-area.tsx';
import { useMemoryChange } from './use-memory-change.ts';

/** What can be done with an entry. What cannot be taken back asks first. */
export function EntryActions(props: {
  readonly entry: MemoryEntry;
  readonly onOpen: (id: string) => void;
  readonly onGone: () => void;
}) {
  const { entry, onOpen, onGone } = props;
  const text = useText(memoryText);
  const operator = useMay('operator');
  const admin = useMay('admin');
  const [asked, setAsked] = useState<'edit' | 'erase'>();
  const move = useMemoryChange((word: 'forget' | 'restore') => memoryApi[word](entry.id));
  if (!operator) return null;
  return (
    <div className="stack">
      <div className="row">
        {entry.state === 'active' ? (
          <>
            <Button small onClick={() => setAsked('edit')}>
              {text.entry.edit}
            </Button>
            <Button small busy={move.isPending} onClick={() => move.mutate('forget')}>
              {text.entry.forget}
            </Button>
          </>
        ) : null}
        {entry.state === 'forgotten' ? (
          <Button small busy={move.isPending} onClick={() => move.mutate('restore')}>
            {text.entry.restore}
          </Button>
        ) : null}
        {admin ? (
          <Button small look="danger" onClick={() => setAsked('erase')}>
            {text.entry.erase}
          </Button>
        ) : null}
      </div>
      <Refused error={move.error} />
      {asked === 'edit' ? (
        <EditEntry entry={entry} onClose={() => setAsked(undefined)} onOpen={onOpen} />
      ) : null}
      {asked === 'erase' ? (
        <EraseEntry entry={entry} onClose={() => setAsked(undefined)} onGone={onGone} />
      ) : null}
    </div>
  );
}

function EditEntry(props: {
  readonly entry: MemoryEntry;
  readonly onClose: () => void;
  readonly onOpen: (id: string) => void;
}) {
  const { entry, onClose, onOpen } = props;
  const text = useText(memoryText);
  const { language } = useLanguage();
  const [said, setSaid] = useState(entry.text);
  const edit = useMemoryChange(
    () => memoryApi.edit(entry.id, said, language),
    (kept) => {
      onClose();
      onOpen(kept.id);
    },
  );
  const changed = said.trim() !== '' && said.trim() !== entry.text;
  return (
    <Dialog
      title={text.entry.editTitle}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{text.cancel}</Button>
          <Button
            look="primary"
            busy={edit.isPending}
            disabled={!changed}
            onClick={() => edit.mutate(undefined)}
          >
            {text.save}
          </Button>
        </>
      }
    >
      <div className="stack-16">
        <TextArea label={text.text} hint={text.entry.editHint} value={said} onChange={setSaid} />
        {changed ? (
          <div className="stack">
            <h3>{text.entry.review}</h3>
            <WordDiff before={entry.text} after={said.trim()} />
          </div>
        ) : null}
        <Refused error={edit.error} />
      </div>
    </Dialog>
  );
}

function EraseEntry(props: {
  readonly entry: MemoryEntry;
  readonly onClose: () => void;
  readonly onGone: () => void;
}) {
  const text = useText(memoryText);
  const erase = useMemoryChange(
    () => memoryApi.erase(props.entry.id),
    () => {
      props.onClose();
      props.onGone();
    },
  );
  return (
    <Dialog
      title={text.entry.eraseTitle}
      onClose={props.onClose}
      footer={
        <>
          <Button onClick={props.onClose}>{text.cancel}</Button>
          <Button look="danger" busy={erase.isPending} onClick={() => erase.mutate(undefined)}>
            {text.entry.eraseNow}
          </Button>
        </>
      }
    >
      <div className="stack-16">
        <p>{text.entry.eraseWhat}</p>
        <p className="word-diff">{props.entry.text}</p>
        <Refused error={erase.error} />
      </div>
    </Dialog>
  );
}

/** Something new, by hand. */
export function AddEntry(props: {
  readonly of: string;
  readonly onClose: () => void;
  readonly onOpen: (id: string) => void;
}) {
  const text = useText(memoryText);
  const { language } = useLanguage();
  const [said, setSaid] = useState('');
  const [kind, setKind] = useState<MemoryKind>('fact');
  const [key, setKey] = useState('');
  const add = useMemoryChange(
    () =>
      memoryApi.add({ text: said, kind, of: props.of, ...(key.trim() ? { key: key.trim() } : {}) }, language),
    (entry) => {
      props.onClose();
      props.onOpen(entry.id);
    },
  );
  const kinds = Object.keys(text.kinds) as MemoryKind[];
  return (
    <Dialog
      title={text.addTitle}
      onClose={props.onClose}
      footer={
        <>
          <Button onClick={props.onClose}>{text.cancel}</Button>
          <Button
            look="primary"
            busy={add.isPending}
            disabled={!said.trim()}
            onClick={() => add.mutate(undefined)}
          >
            {text.save}
          </Button>
        </>
      }
    >
      <div className="stack-16">
        <TextArea label={text.text} value={said} onChange={setSaid} />
        <SelectField
          label={text.search.kind}
          hint={TEAM_KINDS.has(kind) ? text.scope.team : scopeName(props.of, text.scope)}
          value={kind}
          options={kinds.map((value) => ({ value, label: text.kinds[value] }))}
          onChange={(event) => setKind(kinds.find((each) => each === event.target.value) ?? 'fact')}
        />
        <TextField
          label={text.entry.key}
          maxLength={200}
          placeholder="deploy.window"
          value={key}
          onChange={(event) => setKey(event.target.value)}
        />
        <Refused error={add.error} />
      </div>
    </Dialog>
  );
}

/** Kinds that are of everybody, whoever says them. */
const TEAM_KINDS: ReadonlySet<MemoryKind> = new Set<MemoryKind>([
  'incident_summary',
  'fault_pattern',
  'service_profile',
  'governance_rule',
  'team_preference',
]);
