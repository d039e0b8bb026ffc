import { serveHttp as serveMcpHttp } from '../src/adapters/bridges/mcp-server/serve-http.ts';
import { conformanceFixtures } from '../testkit/mcp/index.ts';

/**
 * The endpoint of `hermes mcp serve` with the fixtures of the conformance suite behind it: `node
 * interop/mcp-conformance-server.ts [port]`. The suite cannot send a token, so that none is asked for.
 */
const endpoint = await serveMcpHttp({
  build: conformanceFixtures,
  port: Number(process.argv[2] ?? 0),
  log: (text) => console.error(text),
});
console.log(endpoint.url);
process.once('SIGTERM', () => void endpoint.close());
