import { z } from 'zod';

/** What a server may be used for. Every rule that is absent forbids nothing. */
export interface McpPermissions {
  readonly allowedTools?: readonly string[];
  readonly deniedTools?: readonly string[];
  /** Tools that ask a person each time; naming one here allows it too. */
  readonly requireConfirmation?: readonly string[];
  readonly allowedPaths?: readonly string[];
  readonly deniedPaths?: readonly string[];
  /** First words of SQL statements, upper case. */
  readonly allowedOperations?: readonly string[];
  readonly deniedOperations?: readonly string[];
  readonly maxRows?: number;
  readonly maxFileBytes?: number;
}

export type McpAuth =
  | { readonly type: 'none' }
  | {
      readonly type: 'oauth';
      readonly clientId?: string;
      readonly clientSecret?: string;
      readonly clientMetadataUrl?: string;
      readonly scope?: string;
      readonly issuer?: string;
    }
  | {
      readonly type: 'client_credentials';
      readonly clientId: string;
      readonly clientSecret?: string;
      readonly privateKey?: string;
      readonly algorithm?: string;
      readonly scope?: string;
      readonly issuer?: string;
    };

/** One server of `mcp_config.json`, with its variables filled in. */
export interface McpServerConfig {
  readonly name: string;
  readonly reach:
    | {
        readonly kind: 'stdio';
        readonly command: string;
        readonly args: readonly string[];
        readonly env: Readonly<Record<string, string>>;
        readonly cwd?: string;
      }
    | {
        readonly kind: 'http';
        readonly url: string;
        readonly headers: Readonly<Record<string, string>>;
        readonly auth: McpAuth;
      };
  readonly permissions: McpPermissions;
  readonly disabled: boolean;
  readonly timeoutMs: number;
  readonly connectTimeoutMs: number;
  /** Whether the server may ask our model: never, after a person agreed, or freely (within limits). */
  readonly sampling: 'never' | 'ask' | 'always';
  /** Variables that the entry names and nobody has set. Such a server is not started. */
  readonly missing: readonly string[];
}

const names = z.array(z.string().min(1));

const permissions = z.strictObject({
  allowed_tools: names.optional(),
  denied_tools: names.optional(),
  require_confirmation: names.optional(),
  allowed_paths: names.optional(),
  denied_paths: names.optional(),
  allowed_operations: names.optional(),
  denied_operations: names.optional(),
  max_rows: z.int().positive().optional(),
  max_file_size: z
    .union([
      z.int().positive(),
      z.string().regex(/^\s*\d+(?:\.\d+)?\s*(?:[KMGT]i?)?B?\s*$/i, 'a size such as "10MB"'),
    ])
    .optional(),
});

const oauth = z.strictObject({
  type: z.literal('oauth'),
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
  client_metadata_url: z.url({ protocol: /^https$/ }).optional(),
  scope: z.string().optional(),
  issuer: z.url().optional(),
});

const clientCredentials = z.strictObject({
  type: z.literal('client_credentials'),
  client_id: z.string(),
  client_secret: z.string().optional(),
  private_key: z.string().optional(),
  algorithm: z.string().optional(),
  scope: z.string().optional(),
  issuer: z.url().optional(),
});

/** One entry as it is written. `type` and `transport` are what other clients write; they must agree with the rest. */
export const WrittenServer = z.strictObject({
  command: z.string().min(1).optional(),
  args: z.array(z.string()).optional(),
  env: z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string()).optional(),
  cwd: z.string().min(1).optional(),
  url: z.url({ protocol: /^https?$/ }).optional(),
  headers: z.record(z.string().regex(/^[A-Za-z0-9-]+$/), z.string()).optional(),
  auth: z
    .union([
      z.literal('oauth'),
      z.literal('none'),
      z.discriminatedUnion('type', [z.strictObject({ type: z.literal('none') }), oauth, clientCredentials]),
    ])
    .optional(),
  permissions: permissions.optional(),
  disabled: z.boolean().optional(),
  timeout: z.number().positive().max(3_600).optional(),
  connect_timeout: z.number().positive().max(600).optional(),
  sampling: z.union([z.boolean(), z.literal('ask')]).optional(),
  type: z.enum(['stdio', 'http', 'streamable-http', 'streamableHttp']).optional(),
  transport: z.enum(['stdio', 'http', 'streamable-http', 'streamableHttp']).optional(),
});
export type WrittenServer = z.infer<typeof WrittenServer>;

/** What each group of an entry knows, for suggestions. */
export const KNOWN_KEYS: Readonly<Record<string, readonly string[]>> = {
  '': Object.keys(WrittenServer.shape),
  permissions: Object.keys(permissions.shape),
  auth: [...new Set([...Object.keys(oauth.shape), ...Object.keys(clientCredentials.shape)])],
};
