import { useQuery } from '@tanstack/react-query';
import { queries } from '../../domains/api/queries.ts';
import type { InterfaceState } from '../../domains/api/records.ts';
import { useText } from '../../domains/language/language.tsx';
import { useSession } from '../../domains/session/session.tsx';
import { Preferences } from '../../shell/preferences.tsx';
import { shellText } from '../../shell/text.ts';
import { Badge } from '../../ui/badge.tsx';
import type { Tone } from '../../ui/classes.ts';
import { Facts, Page, Section } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { settingsText } from './text.ts';

const TONE: Readonly<Record<InterfaceState['state'], Tone>> = { ready: 'ok', missing: 'warn', off: 'quiet' };
/** What needs doing comes first. */
const ORDER: readonly InterfaceState['state'][] = ['missing', 'ready', 'off'];

export default function SettingsPage() {
  const text = useText(settingsText);
  const query = useQuery(queries.settings());
  const shell = useText(shellText);
  const { user, role } = useSession();
  return (
    <Page title={text.title}>
      <Loaded query={query}>
        {({ interfaces, version, profile }) => (
          <>
            <Section title={text.about}>
              <Facts
                items={[
                  [text.version, version],
                  [text.profile, profile],
                  [text.session, shell.signedIn(user, shell.roles[role])],
                  [text.zone, Intl.DateTimeFormat().resolvedOptions().timeZone],
                  [text.here, <Preferences key="here" />],
                ]}
              />
            </Section>
            <Interfaces interfaces={interfaces} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Interfaces({ interfaces }: { readonly interfaces: readonly InterfaceState[] }) {
  const text = useText(settingsText);
  const ready = interfaces.filter(({ state }) => state === 'ready').length;
  return (
    <Section
      title={text.interfaces}
      actions={<span className="muted">{text.ready(ready, interfaces.length)}</span>}
      flush
    >
      {interfaces.length === 0 ? (
        <Empty title={text.none}>{text.noneWhy}</Empty>
      ) : (
        <Table
          label={text.interfaces}
          items={interfaces.toSorted((one, other) => ORDER.indexOf(one.state) - ORDER.indexOf(other.state))}
          keyOf={({ part, name }) => `${part} ${name}`}
          columns={[
            { key: 'name', title: text.name, cell: ({ name }) => <code>{name}</code> },
            { key: 'part', title: text.part, wide: true, cell: ({ part }) => part },
            {
              key: 'state',
              title: text.state,
              cell: ({ state }) => <Badge tone={TONE[state]}>{text.states[state]}</Badge>,
            },
            {
              key: 'what',
              title: text.what,
              cell: ({ what }) => <span className="wrap">{what ?? '–'}</span>,
            },
            { key: 'fix', title: text.fix, cell: ({ fix }) => <span className="wrap">{fix ?? '–'}</span> },
          ]}
        />
      )}
    </Section>
  );
}
