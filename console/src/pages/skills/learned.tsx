import type { LearningView } from '#spec/api';
import { useQuery } from '@tanstack/react-query';
import { useFormats, useText } from '../../domains/language/language.tsx';
import { Edits } from '../../domains/skills/edits.tsx';
import { skillQueries } from '../../domains/skills/skills-api.ts';
import { Meter } from '../../ui/meter.tsx';
import { Section } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { skillsText } from './text.ts';

/** What was learned lately: every edit with its reason and the way back, and which tasks come again. */
export function Learned() {
  const text = useText(skillsText);
  const formats = useFormats();
  return (
    <Loaded query={useQuery(skillQueries.learning())}>
      {(learning) => (
        <div className="stack-16">
          <Section title={text.ledger} count={learning.ledger.length} flush>
            {learning.ledger.length ? (
              <Edits edits={learning.ledger} />
            ) : (
              <Empty title={text.ledgerNone}>{text.ledgerWhy(learning.loop.threshold)}</Empty>
            )}
          </Section>
          <p className="muted">
            {text.tasks}: {formats.number(learning.experiences)}
          </p>
          {learning.kinds?.length ? <Kinds kinds={learning.kinds} /> : null}
        </div>
      )}
    </Loaded>
  );
}

function Kinds({ kinds }: { readonly kinds: NonNullable<LearningView['kinds']> }) {
  const text = useText(skillsText);
  const most = Math.max(...kinds.map(({ successes }) => successes));
  return (
    <Section title={text.kinds} count={kinds.length} flush>
      <p className="muted kinds-note">{text.kindsNote}</p>
      <Table
        label={text.kinds}
        items={kinds}
        keyOf={({ example }) => example}
        columns={[
          { key: 'task', title: text.kind, cell: ({ example }) => <span className="wrap">{example}</span> },
          {
            key: 'times',
            title: text.times,
            cell: ({ successes }) => (
              <span className="measure">
                <Meter value={successes} most={most} tone="info" />
                {successes}×
              </span>
            ),
          },
          {
            key: 'missing',
            title: text.missing,
            cell: ({ missing }) => (missing ? text.more(missing) : text.enough),
          },
        ]}
      />
    </Section>
  );
}
