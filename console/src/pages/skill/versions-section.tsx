import type { SkillPage, VersionRow } from '#spec/api';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormats, useText } from '../../domains/language/language.tsx';
import { skillQueries } from '../../domains/skills/skills-api.ts';
import { skillWords } from '../../domains/skills/text.ts';
import { VERSION_TONE } from '../../domains/skills/tones.ts';
import { Badge } from '../../ui/badge.tsx';
import { Diff } from '../../ui/diff.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Section } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { skillText } from './text.ts';

const CURRENT = 'current';

/** Every text that it has had, and what differs between any two. */
export function VersionsSection({ page: { skill, versions } }: { readonly page: SkillPage }) {
  const { versions: text } = useText(skillText);
  return (
    <Section title={text.title} count={versions.length} flush>
      {versions.length ? (
        <>
          <Versions versions={versions} />
          <Compare name={skill.name} digest={skill.digest} versions={versions} />
        </>
      ) : (
        <Empty title={text.none}>{text.noneWhy}</Empty>
      )}
    </Section>
  );
}

function Versions({ versions }: { readonly versions: readonly VersionRow[] }) {
  const { versions: text } = useText(skillText);
  const words = useText(skillWords);
  const formats = useFormats();
  return (
    <Table
      label={text.title}
      items={versions}
      keyOf={({ digest, at }) => `${digest} ${at}`}
      columns={[
        { key: 'version', title: text.version, cell: ({ version }) => version },
        {
          key: 'state',
          title: text.state,
          cell: ({ state }) => <Badge tone={VERSION_TONE[state]}>{words.version[state]}</Badge>,
        },
        { key: 'why', title: text.why, cell: ({ why }) => <span className="wrap">{why}</span> },
        {
          key: 'success',
          title: text.success,
          number: true,
          cell: ({ uses, successes }) =>
            uses ? `${formats.number(uses)}, ${formats.percent(successes / uses)}` : '–',
        },
        { key: 'when', title: text.when, wide: true, cell: ({ at }) => <Time at={at} /> },
      ]}
    />
  );
}

function Compare(props: {
  readonly name: string;
  readonly digest: string;
  readonly versions: readonly VersionRow[];
}) {
  const { versions: text } = useText(skillText);
  const formats = useFormats();
  const unique = props.versions.filter(
    ({ digest }, index) => props.versions.findIndex((each) => each.digest === digest) === index,
  );
  const isKnown = unique.some(({ digest }) => digest === props.digest);
  const options = [
    ...(isKnown ? [] : [{ value: CURRENT, label: text.current }]),
    ...unique.map(({ digest, version, at }) => ({
      value: digest,
      label: `${version} · ${formats.time(at)}`,
    })),
  ];
  const [from, setFrom] = useState<string>();
  const [to, setTo] = useState<string>();
  const older = from ?? options[1]?.value;
  const newer = to ?? options[0]?.value;
  if (older === undefined || newer === undefined) return null;
  return (
    <div className="compare">
      <h3>{text.compare}</h3>
      <div className="toolbar">
        <SelectField
          label={text.older}
          value={older}
          options={options}
          onChange={(event) => setFrom(event.target.value)}
        />
        <SelectField
          label={text.newer}
          value={newer}
          options={options}
          onChange={(event) => setTo(event.target.value)}
        />
      </div>
      <Difference name={props.name} from={older} to={newer} />
    </div>
  );
}

function Difference({
  name,
  from,
  to,
}: {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}) {
  const { versions: text } = useText(skillText);
  return (
    <Loaded query={useQuery(skillQueries.diff(name, from, to))}>
      {({ diff }) => <Diff diff={diff} label={text.diff} />}
    </Loaded>
  );
}
