import type { McpPermissions } from '../mcp-server-config.ts';
import { judgePaths, type PathPlace } from './judge-paths.ts';
import { isContentKey, type Leaf, leavesOf } from './leaves.ts';
import { looksLikeSql, readSql } from './sql-operations.ts';

export interface CallJudgement {
  readonly refuse?: string;
  readonly confirm?: string;
}

/** What the permissions of a server say about one call. It is asked twice: before the gate, and right before sending. */
export function judgeCall(
  tool: string,
  input: unknown,
  permissions: McpPermissions,
  place: PathPlace,
): CallJudgement {
  const leaves = leavesOf(input);
  if (!leaves) return { refuse: 'it has more arguments than can be checked' };
  const refuse =
    judgeTool(tool, permissions) ??
    judgePaths(leaves, permissions, place) ??
    judgeOperations(tool, leaves, permissions) ??
    judgeSizes(leaves, permissions);
  if (refuse) return { refuse };
  return mustConfirm(tool, permissions)
    ? { confirm: `mcp_config.json asks for confirmation of ${tool}` }
    : {};
}

/** Why a tool may not be used at all. Deny rules win; a tool that asks for confirmation is allowed by that. */
export function judgeTool(tool: string, permissions: McpPermissions): string | undefined {
  const { allowedTools, deniedTools, requireConfirmation } = permissions;
  if (matches(tool, deniedTools)) return `${tool} is among denied_tools`;
  if (allowedTools && !matches(tool, allowedTools) && !matches(tool, requireConfirmation))
    return `${tool} is not among allowed_tools`;
  return undefined;
}

/** Whether a person is asked each time. */
export const mustConfirm = (tool: string, { requireConfirmation }: McpPermissions): boolean =>
  matches(tool, requireConfirmation);

/** Names may have `*` in them. */
function matches(tool: string, rules: readonly string[] | undefined): boolean {
  return (rules ?? []).some((rule) => {
    const pattern = rule.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
    return new RegExp(`^${pattern.join('.*')}$`, 'i').test(tool);
  });
}

const SQL_KEY = /^(?:sql|query|queries|statement|statements|stmt|command)$/i;
const VERBS =
  /^(?:insert|update|delete|drop|truncate|alter|create|merge|replace|grant|revoke|select|execute)$/i;

/** The statements that these arguments carry. */
export const statementsIn = (leaves: readonly Leaf[]): string[] =>
  leaves.flatMap(({ key, value }) =>
    typeof value === 'string' && (SQL_KEY.test(key) || looksLikeSql(value)) ? [value] : [],
  );

function judgeOperations(
  tool: string,
  leaves: readonly Leaf[],
  permissions: McpPermissions,
): string | undefined {
  const { allowedOperations: allowed, deniedOperations: denied } = permissions;
  if (!allowed && !denied) return undefined;
  const named = tool.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).filter((word) => VERBS.test(word));
  const verb = named.map((word) => word.toUpperCase()).find((word) => isDenied(word, allowed, denied));
  if (verb) return `${tool} is ${aOperation(verb)}`;
  for (const statement of statementsIn(leaves)) {
    const reading = readSql(statement);
    if (!reading.readable) return `what it would do to the database cannot be told: ${reading.reason}`;
    const bad = [...reading.operations].find((word) => isDenied(word, allowed, denied));
    if (bad) return `it has ${aOperation(bad)}`;
    const [risky] = reading.risky;
    if (allowed && risky) return `it calls ${risky}, which reaches beyond the query`;
  }
  return undefined;
}

const isDenied = (
  word: string,
  allowed: readonly string[] | undefined,
  denied: readonly string[] | undefined,
): boolean => denied?.includes(word) === true || (allowed !== undefined && !allowed.includes(word));

const aOperation = (verb: string): string => `the operation ${verb || '(none)'}, which is not allowed`;

const LIMIT_KEY = /^(?:limit|max_?rows|row_?limit|max_?results|page_?size|count)$/i;

function judgeSizes(leaves: readonly Leaf[], { maxRows, maxFileBytes }: McpPermissions): string | undefined {
  const rows = leaves.find(({ key, value }) => LIMIT_KEY.test(key) && Number(value) > (maxRows ?? Infinity));
  if (rows) return `it asks for ${String(rows.value)} rows; at most ${maxRows} are allowed`;
  const written = leaves
    .filter(({ key }) => isContentKey(key))
    .reduce((sum, { value }) => sum + (typeof value === 'string' ? Buffer.byteLength(value) : 0), 0);
  if (maxFileBytes !== undefined && written > maxFileBytes)
    return `it would write ${written} bytes; at most ${maxFileBytes} are allowed`;
  return undefined;
}
