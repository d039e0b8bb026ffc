import { useQuery } from '@tanstack/react-query';
import { useText } from '../../domains/language/language.tsx';
import { peopleQuery } from '../../domains/settings/people-api.ts';
import { shellText } from '../../shell/text.ts';
import { Badge } from '../../ui/badge.tsx';
import { Copy } from '../../ui/copy.tsx';
import { Section } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { settingsText } from './text.ts';

const SAMPLE = `echo '- { user: alex, role: approver, token_key: ALEX_TOKEN }' >> users.yaml
echo "ALEX_TOKEN=$(openssl rand -hex 24)" >> .env`;

/** Who may sign in. Only admins are asked for it. */
export function People() {
  const text = useText(settingsText);
  const shell = useText(shellText);
  const query = useQuery(peopleQuery());
  return (
    <Section title={text.people} count={query.data?.people.length} flush>
      <div className="stack settings-inset">
        <p className="muted">{text.peopleWhy}</p>
      </div>
      <Loaded query={query}>
        {({ people }) => (
          <Table
            label={text.people}
            items={people}
            keyOf={({ user }) => user}
            columns={[
              { key: 'user', title: text.person, cell: ({ user }) => <code>{user}</code> },
              { key: 'role', title: text.role, cell: ({ role }) => <Badge>{shell.roles[role]}</Badge> },
              { key: 'may', title: text.what, wide: true, cell: ({ role }) => text.roleWhy[role] },
              { key: 'by', title: text.by, cell: ({ by }) => <span className="muted">{text.from[by]}</span> },
            ]}
          />
        )}
      </Loaded>
      <div className="stack settings-inset">
        <span>{text.addPeople}</span>
        <div className="settings-paste">
          <code className="code">{SAMPLE}</code>
          <Copy text={() => SAMPLE} />
        </div>
      </div>
    </Section>
  );
}
