import type { EditRow } from '#spec/api';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useText } from '../language/language.tsx';
import { useMay } from '../session/session.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Diff } from '../../ui/diff.tsx';
import { Loaded, Refused } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { useState } from 'react';
import { skillAddress } from './marks.tsx';
import { skillQueries, skillsApi } from './skills-api.ts';
import { skillWords } from './text.ts';

/** The ledger of edits: what was changed, by whom and why, what it looks like, and the way back. */
export function Edits({
  edits,
  named = true,
}: {
  readonly edits: readonly EditRow[];
  readonly named?: boolean;
}) {
  return (
    <ul className="edits">
      {edits.map((edit) => (
        <Edit key={edit.id} edit={edit} named={named} />
      ))}
    </ul>
  );
}

function Edit({ edit, named }: { readonly edit: EditRow; readonly named: boolean }) {
  const words = useText(skillWords);
  const may = useMay('operator');
  const client = useQueryClient();
  const [open, setOpen] = useState(false);
  const undo = useMutation({
    mutationFn: () => skillsApi.undo(edit.id),
    onSettled: () => client.invalidateQueries({ queryKey: ['skills'] }),
  });
  return (
    <li className="edit">
      <div className="row spread">
        <div className="row">
          <Badge>{words.action[edit.action]}</Badge>
          {named ? <Link to={skillAddress(edit.skill)}>{edit.skill}</Link> : null}
          <span className="muted">{words.by[edit.by]}</span>
          {edit.added || edit.removed ? (
            <span className="nowrap">
              <span className="tone-ok">+{edit.added}</span> <span className="tone-bad">−{edit.removed}</span>
            </span>
          ) : null}
          {edit.undone ? <Badge tone="warn">{words.undone}</Badge> : null}
        </div>
        <div className="row">
          <span className="muted">
            <Time at={edit.at} />
          </span>
          {may && !edit.undone && edit.action !== 'restored' ? (
            <Button small busy={undo.isPending} onClick={() => undo.mutate()}>
              {words.undo}
            </Button>
          ) : null}
        </div>
      </div>
      <p className="wrap">{edit.why}</p>
      <Refused error={undo.error} />
      {edit.files.length ? (
        <details onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary className="muted">{words.showDiff}</summary>
          {open ? <EditDiff edit={edit} /> : null}
        </details>
      ) : null}
    </li>
  );
}

function EditDiff({ edit }: { readonly edit: EditRow }) {
  const words = useText(skillWords);
  return (
    <Loaded query={useQuery(skillQueries.edit(edit.id))}>
      {({ diff }) =>
        diff ? <Diff diff={diff} label={words.diffOf(edit.skill)} /> : <p className="muted">{words.moved}</p>
      }
    </Loaded>
  );
}
