import { openMcpClients, parseMcpConfig } from '../src/adapters/bridges/index.ts';
import { toolContext } from '../testkit/tool-context/index.ts';

/**
 * The MCP client of Hermes as the conformance suite starts it: the address comes last on the command line, the scenario
 * and what it needs to know in the environment.
 */
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? '';
const given = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}') as Record<string, string>;

function auth(): unknown {
  const id = { ...(given.client_id && { client_id: given.client_id }) };
  const secret = { ...(given.client_secret && { client_secret: given.client_secret }) };
  if (scenario === 'auth/client-credentials-basic') return { type: 'client_credentials', ...id, ...secret };
  if (scenario === 'auth/client-credentials-jwt')
    return {
      type: 'client_credentials',
      ...id,
      private_key: given.private_key_pem,
      algorithm: given.signing_algorithm,
    };
  const document = scenario === 'auth/basic-cimd' && {
    client_metadata_url: 'https://conformance-test.local/client-metadata.json',
  };
  return { type: 'oauth', ...id, ...secret, ...document };
}

/** A browser that agrees to everything and follows where it is sent. */
async function openBrowser(page: string): Promise<void> {
  let next: string | null = page;
  while (next !== null) {
    const response: Response = await fetch(next, { redirect: 'manual' });
    await response.body?.cancel();
    next = response.headers.get('location');
  }
}

const kept = new Map<string, unknown>();
const clients = openMcpClients({
  servers: parseMcpConfig(
    { mcp_servers: { suite: { url: process.argv.at(-1), auth: auth(), timeout: 20 } } },
    {},
  ),
  version: '0',
  cache: { read: async () => undefined, write: async () => undefined },
  tokens: { read: async (name) => kept.get(name), write: async (name, value) => void kept.set(name, value) },
  roots: () => [],
  environment: {},
  fetch,
  fetchElsewhere: fetch,
  hidden: [],
  openBrowser,
  sample: async () => 'a reply',
  elicit: async (_, choices) => choices[0] ?? '',
  log: ({ text }) => console.error(text),
});

const INPUTS: Readonly<Record<string, unknown>> = { mcp_suite_add_numbers: { a: 5, b: 3 } };

try {
  await clients.refresh('suite');
  for (const tool of await clients.tools()) {
    if (tool.toolset !== 'mcp-suite') continue;
    const result = await tool.run(tool.input.parse(INPUTS[tool.name] ?? {}), toolContext());
    console.log(tool.name, result.summary);
  }
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await clients.close();
}
