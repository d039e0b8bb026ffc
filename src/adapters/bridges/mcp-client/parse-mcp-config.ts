import type { z } from 'zod';
import { AppError } from '#kit/app-error';
import { expandVariables } from '#kit/expand-variables';
import { isRecord } from '#kit/is-record';
import { nearest } from '#kit/nearest';
import {
  KNOWN_KEYS,
  type McpAuth,
  type McpPermissions,
  type McpServerConfig,
  WrittenServer,
} from './mcp-server-config.ts';

const CALL_SECONDS = 120;
const CONNECT_SECONDS = 60;
const ROOT_KEYS = ['mcp_servers', 'mcpServers'] as const;
const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$/;

/** Stands for what is not set, so that the rest of an entry can be checked. Nothing is ever sent there. */
const UNSET = 'https://unset.invalid/';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Reads the content of `mcp_config.json`. Throws one `config.invalid` that names every mistake. A variable that is not
 * set is no mistake of the file: it is noted with its server.
 */
export function parseMcpConfig(value: unknown, env: Env): McpServerConfig[] {
  const { root, servers } = entries(value);
  const problems: McpProblem[] = [];
  const parsed: McpServerConfig[] = [];
  for (const [name, written] of Object.entries(servers)) {
    const where = [root, name];
    if (!NAME.test(name))
      problems.push({ path: where, message: `a name has up to 32 letters, digits, '-' and '_'` });
    const missing = new Set<string>();
    expandDeep(written, env, (variable) => missing.add(variable));
    const filled = { ...env, ...Object.fromEntries([...missing].map((variable) => [variable, UNSET])) };
    const entry = WrittenServer.safeParse(expandDeep(written, filled, () => undefined));
    if (entry.success) {
      problems.push(...contradictions(entry.data).map((message) => ({ path: where, message })));
      if (problems.length === 0) parsed.push(serverConfig(name, entry.data, [...missing]));
    } else problems.push(...entry.error.issues.flatMap((issue) => explain(where, issue)));
  }
  problems.push(...namesakes(root, Object.keys(servers)));
  if (problems.length > 0) throw invalid(problems);
  return parsed;
}

/** What is wrong, and at which key. */
interface McpProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Its details say at which keys, for whoever knows the lines of the file. */
function invalid(problems: readonly McpProblem[]): AppError {
  const told = problems.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': '));
  return new AppError({
    code: 'config.invalid',
    message: `mcp_config.json: ${told.join('; ')}`,
    retry: { again: false },
    details: { problems: problems.map(({ path, message }) => ({ path: [...path], message })) },
  });
}

function entries(value: unknown): { root: string; servers: Record<string, unknown> } {
  if (!isRecord(value)) throw invalid([{ path: [], message: 'must be a JSON object' }]);
  const unknown = Object.keys(value).find((key) => !ROOT_KEYS.some((known) => known === key));
  if (unknown !== undefined) {
    const close = nearest(unknown, ROOT_KEYS);
    throw invalid([{ path: [unknown], message: `unknown key${close ? `; did you mean ${close}?` : ''}` }]);
  }
  const [root, twice] = ROOT_KEYS.filter((key) => key in value);
  if (twice) throw invalid([{ path: [twice], message: 'mcp_servers and mcpServers are the same; keep one' }]);
  const servers = root === undefined ? {} : value[root];
  if (!isRecord(servers)) throw invalid([{ path: [root ?? ''], message: 'must be an object of servers' }]);
  return { root: root ?? ROOT_KEYS[0], servers };
}

function expandDeep(value: unknown, env: Env, onMissing: (name: string) => void): unknown {
  if (typeof value === 'string') return expandVariables(value, env, onMissing);
  if (Array.isArray(value)) return value.map((item) => expandDeep(item, env, onMissing));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, expandDeep(item, env, onMissing)]),
  );
}

function explain(where: readonly string[], issue: z.core.$ZodIssue): McpProblem[] {
  const path = [...where, ...(issue.path as (string | number)[])];
  if (issue.code === 'unrecognized_keys') {
    const known = KNOWN_KEYS[String(issue.path[0] ?? '')] ?? [];
    return issue.keys.map((key) => {
      const close = nearest(key, known);
      const more = close ? `did you mean ${close}?` : `known: ${known.join(', ')}`;
      return { path: [...path, key], message: `unknown key; ${more}` };
    });
  }
  // A union says which of its shapes was meant: the one that got furthest.
  if (issue.code === 'invalid_union') {
    const nested = issue.errors
      .flat()
      .filter((inner) => inner.code === 'unrecognized_keys' || inner.path.length > 0);
    if (nested.length > 0)
      return nested.flatMap((inner) => explain(where, { ...inner, path: [...issue.path, ...inner.path] }));
  }
  return [{ path, message: issue.message }];
}

function contradictions(entry: WrittenServer): string[] {
  const out: string[] = [];
  if ((entry.command === undefined) === (entry.url === undefined)) out.push('needs either command or url');
  const kind = entry.type ?? entry.transport;
  if (kind !== undefined && (kind === 'stdio') !== (entry.command !== undefined))
    out.push(`type ${kind} does not fit ${entry.command === undefined ? 'url' : 'command'}`);
  const misplaced =
    entry.url === undefined ? (['headers', 'auth'] as const) : (['args', 'env', 'cwd'] as const);
  for (const key of misplaced)
    if (entry[key] !== undefined)
      out.push(`${key} does not go with ${entry.url === undefined ? 'command' : 'url'}`);
  const { auth } = entry;
  if (
    typeof auth === 'object' &&
    auth.type === 'client_credentials' &&
    !auth.client_secret === !auth.private_key
  )
    out.push('auth needs either client_secret or private_key');
  return out;
}

/** Names of tools are made of names of servers; two that differ in case or punctuation alone would collide. */
function namesakes(root: string, all: readonly string[]): McpProblem[] {
  const seen = new Map<string, string>();
  return all.flatMap((name) => {
    const plain = name.toLowerCase().replaceAll('-', '_');
    const other = seen.get(plain);
    seen.set(plain, name);
    return other === undefined ? [] : [{ path: [root, name], message: `too much like ${other}` }];
  });
}

function serverConfig(name: string, entry: WrittenServer, missing: readonly string[]): McpServerConfig {
  const { command, url, args = [], env = {}, cwd, headers = {} } = entry;
  return {
    name,
    reach:
      command === undefined
        ? { kind: 'http', url: url ?? '', headers, auth: authOf(entry.auth) }
        : { kind: 'stdio', command, args, env, ...(cwd === undefined ? {} : { cwd }) },
    permissions: permissionsOf(entry.permissions ?? {}),
    disabled: entry.disabled ?? false,
    timeoutMs: (entry.timeout ?? CALL_SECONDS) * 1_000,
    connectTimeoutMs: (entry.connect_timeout ?? CONNECT_SECONDS) * 1_000,
    sampling: entry.sampling === true ? 'always' : entry.sampling === false ? 'never' : 'ask',
    missing,
  };
}

function authOf(written: WrittenServer['auth']): McpAuth {
  if (written === undefined || written === 'oauth') return { type: 'oauth' };
  if (written === 'none' || written.type === 'none') return { type: 'none' };
  const shared = {
    ...(written.client_secret === undefined ? {} : { clientSecret: written.client_secret }),
    ...(written.scope === undefined ? {} : { scope: written.scope }),
    ...(written.issuer === undefined ? {} : { issuer: written.issuer }),
  };
  if (written.type === 'oauth')
    return {
      type: 'oauth',
      ...shared,
      ...(written.client_id === undefined ? {} : { clientId: written.client_id }),
      ...(written.client_metadata_url === undefined
        ? {}
        : { clientMetadataUrl: written.client_metadata_url }),
    };
  return {
    type: 'client_credentials',
    clientId: written.client_id,
    ...shared,
    ...(written.private_key === undefined ? {} : { privateKey: written.private_key }),
    ...(written.algorithm === undefined ? {} : { algorithm: written.algorithm }),
  };
}

function permissionsOf(written: NonNullable<WrittenServer['permissions']>): McpPermissions {
  const upper = (words: readonly string[]) => words.map((word) => word.trim().toUpperCase());
  return {
    ...(written.allowed_tools && { allowedTools: written.allowed_tools }),
    ...(written.denied_tools && { deniedTools: written.denied_tools }),
    ...(written.require_confirmation && { requireConfirmation: written.require_confirmation }),
    ...(written.allowed_paths && { allowedPaths: written.allowed_paths }),
    ...(written.denied_paths && { deniedPaths: written.denied_paths }),
    ...(written.allowed_operations && { allowedOperations: upper(written.allowed_operations) }),
    ...(written.denied_operations && { deniedOperations: upper(written.denied_operations) }),
    ...(written.max_rows && { maxRows: written.max_rows }),
    ...(written.max_file_size && { maxFileBytes: bytesOf(written.max_file_size) }),
  };
}

/** `10MB` and `10MiB` are both 10 × 1024² bytes. */
function bytesOf(size: number | string): number {
  if (typeof size === 'number') return size;
  const [, digits = '0', unit = ''] = /^\s*([\d.]+)\s*([KMGT]?)/i.exec(size) ?? [];
  return Math.floor(Number(digits) * 1024 ** ('KMGT'.indexOf(unit.toUpperCase()) + (unit ? 1 : 0)));
}
