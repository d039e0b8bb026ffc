import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useFormats, useText } from '../../domains/language/language.tsx';
import { RunMark } from '../../domains/skills/marks.tsx';
import { skillQueries } from '../../domains/skills/skills-api.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useListKeys } from '../../ui/use-list-keys.ts';
import { skillText } from './text.ts';

/** What follows on the page must not be far away. */
const MOST_SHOWN = 20;

export function RunsSection(props: {
  readonly skill: string;
  readonly current: string | null;
  readonly onShow: (id: string) => void;
}) {
  const { runs: text } = useText(skillText);
  const formats = useFormats();
  const query = useQuery(skillQueries.runs(props.skill));
  const list = useRef<HTMLDivElement>(null);
  const [all, setAll] = useState(false);
  useListKeys(list, 'button');
  return (
    <Section title={text.title} count={query.data?.length} flush>
      <div ref={list}>
        <Loaded query={query}>
          {(runs) =>
            runs.length ? (
              <Table
                label={text.title}
                items={all ? runs : runs.slice(0, MOST_SHOWN)}
                keyOf={({ id }) => id}
                current={({ id }) => id === props.current}
                columns={[
                  {
                    key: 'state',
                    title: text.state,
                    cell: ({ state, dryRun, questions }) => (
                      <span className="row">
                        <RunMark state={state} />
                        {dryRun && state !== 'shown' ? <span className="muted">{text.dry}</span> : null}
                        {questions ? <Badge tone="warn">{text.waits}</Badge> : null}
                      </span>
                    ),
                  },
                  { key: 'when', title: text.when, cell: ({ startedAt }) => <Time at={startedAt} /> },
                  {
                    key: 'took',
                    title: text.took,
                    number: true,
                    cell: ({ startedAt, endedAt }) =>
                      endedAt === undefined ? '–' : formats.duration(endedAt - startedAt),
                  },
                  {
                    key: 'by',
                    title: text.by,
                    wide: true,
                    cell: ({ by }) => (
                      <>
                        {by.user} <span className="muted">{by.platform}</span>
                      </>
                    ),
                  },
                  {
                    key: 'show',
                    title: text.run,
                    number: true,
                    cell: ({ id }) => (
                      <Button small onClick={() => props.onShow(id)}>
                        {text.show}
                      </Button>
                    ),
                  },
                ]}
              />
            ) : (
              <Empty title={text.none}>{text.noneWhy}</Empty>
            )
          }
        </Loaded>
      </div>
      {!all && query.data && query.data.length > MOST_SHOWN ? (
        <Button small look="plain" onClick={() => setAll(true)}>
          {text.more(query.data.length - MOST_SHOWN)}
        </Button>
      ) : null}
    </Section>
  );
}
