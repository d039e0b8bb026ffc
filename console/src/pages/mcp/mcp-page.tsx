import { useQuery } from '@tanstack/react-query';
import { useText } from '../../domains/language/language.tsx';
import { mcpQuery } from '../../domains/mcp/mcp-api.ts';
import { Page, Section } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { AddServer } from './add-server.tsx';
import { ServedByUs } from './served-by-us.tsx';
import { ServerSection } from './server-section.tsx';
import { mcpText } from './text.ts';
import './mcp.css';

/** The MCP servers of this home, and what it is to others. */
export default function McpPage() {
  const text = useText(mcpText);
  const query = useQuery(mcpQuery());
  return (
    <Page title={text.title}>
      <Loaded query={query}>
        {({ servers, served, problem }) => (
          <>
            {problem === undefined ? null : (
              <div className="notice bad" role="alert">
                <strong>{text.problem}</strong>
                <div>{problem}</div>
              </div>
            )}
            {servers.map((server) => (
              <ServerSection key={server.server} server={server} />
            ))}
            {servers.length || problem !== undefined ? null : (
              <Section title={text.title}>
                <Empty title={text.none}>{text.noneWhy}</Empty>
                <AddServer />
              </Section>
            )}
            <ServedByUs served={served} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
