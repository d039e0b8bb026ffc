import type { Incident, RecoveryCheck } from '../../domains/incident/records.ts';
import { incidentWords } from '../../domains/incident/text.ts';
import { RECOVERY_TONE } from '../../domains/incident/tones.ts';
import { useFormats, useText } from '../../domains/language/language.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Section } from '../../ui/page.tsx';
import { Popover } from '../../ui/popover.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { verdictOf } from './check-line.ts';
import { incidentText } from './text.ts';

/** The same measurements before, during and after. */
export function RecoverySection({ incident: { recovery } }: { readonly incident: Incident }) {
  const { recovery: text } = useText(incidentText);
  const words = useText(incidentWords);
  const formats = useFormats();
  if (!recovery) return null;
  const value = (number: number | undefined, unit: string) =>
    number === undefined ? '–' : formats.quantity(number, unit);
  return (
    <Section
      title={text.title}
      flush
      actions={
        <span className="row">
          <span className="muted">
            {text.at} <Time at={recovery.at} />
          </span>
          <Badge tone={RECOVERY_TONE[recovery.status]}>{words.recovery[recovery.status]}</Badge>
        </span>
      }
    >
      <Table<RecoveryCheck>
        label={text.title}
        items={recovery.checks}
        keyOf={({ dimension, query }) => `${dimension} ${query}`}
        columns={[
          {
            key: 'what',
            title: text.what,
            cell: ({ dimension, summary, query }) => (
              <>
                <Popover trigger={words.dimension[dimension]} label={words.dimension[dimension]}>
                  <p className="wrap">{summary}</p>
                </Popover>
                <br />
                <code className="muted wrap">{query}</code>
              </>
            ),
          },
          { key: 'usual', title: text.usual, number: true, cell: ({ usual, unit }) => value(usual, unit) },
          {
            key: 'during',
            title: text.during,
            number: true,
            cell: ({ during, unit }) => value(during, unit),
          },
          {
            key: 'after',
            title: text.after,
            number: true,
            cell: ({ after, unit }) => value(after, unit),
          },
          { key: 'verdict', title: text.verdict, cell: (check) => <Verdict check={check} /> },
        ]}
      />
    </Section>
  );
}

function Verdict({ check }: { readonly check: RecoveryCheck }) {
  const { recovery: text } = useText(incidentText);
  const { dimension } = useText(incidentWords);
  const told = verdictOf(check, { ...text, dimension });
  if (check.ok === undefined) return <Badge>{told}</Badge>;
  return <Badge tone={check.ok ? 'ok' : 'bad'}>{told}</Badge>;
}
