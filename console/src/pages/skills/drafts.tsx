import type { DraftView } from '#spec/api';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useText } from '../../domains/language/language.tsx';
import { skillQueries, skillsApi } from '../../domains/skills/skills-api.ts';
import { skillWords } from '../../domains/skills/text.ts';
import { Button } from '../../ui/button.tsx';
import { Diff } from '../../ui/diff.tsx';
import { Section } from '../../ui/page.tsx';
import { Empty, Loaded, Refused } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { skillsText } from './text.ts';

/** Changes of skills that wait for the owner, with all that they would write. */
export function Drafts() {
  const text = useText(skillsText);
  return (
    <Loaded query={useQuery(skillQueries.drafts())}>
      {(drafts) =>
        drafts.length ? (
          <div className="stack-16">
            {drafts.map((draft) => (
              <Draft key={draft.id} draft={draft} />
            ))}
          </div>
        ) : (
          <Section title={text.waits}>
            <Empty title={text.draftsNone}>{text.draftsWhy}</Empty>
          </Section>
        )
      }
    </Loaded>
  );
}

function Draft({ draft }: { readonly draft: DraftView }) {
  const text = useText(skillsText);
  const words = useText(skillWords);
  const client = useQueryClient();
  const decide = useMutation({
    mutationFn: (word: 'approve' | 'reject') => skillsApi.draft(draft.id, word),
    onSettled: () => client.invalidateQueries({ queryKey: ['skills'] }),
  });
  const known: Readonly<Record<string, string>> = words.action;
  const action = draft.action === undefined ? undefined : (known[draft.action] ?? draft.action);
  const name = draft.skill ?? draft.id;
  return (
    <Section title={[action, name].filter(Boolean).join(': ')}>
      <div className="stack">
        <p className="wrap">
          {draft.why}{' '}
          <span className="muted">
            <Time at={draft.at} ago />
          </span>
        </p>
        {draft.diff ? <Diff diff={draft.diff} label={text.draftDiff(name)} /> : null}
        <details open={!draft.diff}>
          <summary className="muted">{text.draftShown}</summary>
          <pre className="code draft-text" tabIndex={0} aria-label={text.draftShown}>
            {draft.shown}
          </pre>
        </details>
        <div className="row">
          <Button
            look="primary"
            busy={decide.isPending && decide.variables === 'approve'}
            onClick={() => decide.mutate('approve')}
          >
            {text.approve}
          </Button>
          <Button
            busy={decide.isPending && decide.variables === 'reject'}
            onClick={() => decide.mutate('reject')}
          >
            {text.reject}
          </Button>
        </div>
        <Refused error={decide.error} />
      </div>
    </Section>
  );
}
