import type { Mcp } from '#spec/api';
import { useText } from '../../domains/language/language.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Section } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';
import { Pasted } from './add-server.tsx';
import { mcpText } from './text.ts';

/** What others see of this home, and how they connect. */
export function ServedByUs({ served }: { readonly served: Mcp['served'] }) {
  const text = useText(mcpText);
  return (
    <Section title={text.servedTitle} count={served.tools.length} flush>
      <div className="stack mcp-inset">
        <p className="muted">{text.servedWhat}</p>
        <p>{text.overPipes}</p>
        <Pasted text="hermes mcp serve" />
        <p>{text.overHttp}</p>
        <Pasted text={`hermes mcp serve --http 4190 --scopes ${served.scopes.join(',')}`} />
        {served.token ? null : <p className="notice warn">{text.tokenMissing}</p>}
      </div>
      <Table
        label={text.servedTitle}
        items={served.tools}
        keyOf={({ name }) => name}
        columns={[
          { key: 'tool', title: text.tool, cell: ({ name }) => <code>{name}</code> },
          { key: 'scope', title: text.scope, cell: ({ scope }) => <code>{scope}</code> },
          {
            key: 'access',
            title: text.access,
            cell: ({ readOnly }) => (
              <Badge tone={readOnly ? 'quiet' : 'warn'}>{readOnly ? text.reads : text.writes}</Badge>
            ),
          },
          { key: 'what', title: text.what, wide: true, cell: ({ description }) => description },
        ]}
      />
    </Section>
  );
}
