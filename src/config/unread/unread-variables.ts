import { tell, type Text } from '#kit/text';
import { nearest } from '#kit/nearest';
import type { Problem } from '../problem.ts';
import { AS_IT_IS, NOT_READ_YET, UNREAD } from './not-read-yet.ts';

const OURS = /^(?:RUNBOOK|ACTION_EXECUTION)_/;
type Variables = Readonly<Record<string, string | undefined>>;

/** Variables that begin like ours and that nothing reads. `envFile`: where `.env` is and what it says. */
export function unreadVariables(
  env: Variables,
  envFile: { readonly path: string; readonly text: string },
): Problem[] {
  const lines = envFile.text.split(/\r?\n/);
  return Object.keys(env)
    .filter((name) => OURS.test(name) && env[name] !== '' && !KNOWN_VARIABLES.includes(name))
    .filter((name) => AS_IT_IS[name] !== env[name]?.toLowerCase())
    .toSorted()
    .map((name) => {
      const at = lines.findIndex((line) => new RegExp(String.raw`^\s*(?:export\s+)?${name}\s*=`).test(line));
      return {
        ...(at < 0 ? { source: 'environment' } : { source: envFile.path, line: at + 1, column: 1 }),
        path: name,
        message: isPromised(name) ? UNREAD : unknown(name),
      };
    });
}

const isPromised = (name: string): boolean =>
  NOT_READ_YET.environment.some((known) =>
    known.endsWith('*') ? name.startsWith(known.slice(0, -1)) : name === known,
  );

function unknown(name: string): Text {
  const close = nearest(name, KNOWN_VARIABLES);
  return tell(
    `is no variable of Hermes: it has no effect${close ? `; did you mean ${close}?` : ''}`,
    `不是 Hermes 的变量:不起作用${close ? `;是否想写 ${close}?` : ''}`,
  );
}

/** Variables that begin like ours and that something here reads. A test compares them with what the sources name. */
export const KNOWN_VARIABLES: readonly string[] = [
  'RUNBOOK_API_AUTH_ENABLED',
  'RUNBOOK_API_AUTH_HEADER',
  'RUNBOOK_API_READ_ONLY_TOKEN',
  'RUNBOOK_API_TOKEN',
  'RUNBOOK_CONTROLLED_EXECUTION_ENABLED',
  'RUNBOOK_MEMORY_CONTEXT_LIMIT',
  'RUNBOOK_MEMORY_ENABLED',
  'RUNBOOK_MEMORY_EXTERNAL_PROVIDER',
  'RUNBOOK_MODEL_API_KEY',
  'RUNBOOK_MODEL_BASE_URL',
  'RUNBOOK_MODEL_ENABLED',
  'RUNBOOK_MODEL_NAME',
  'RUNBOOK_MODEL_PROVIDER',
  'RUNBOOK_MODEL_TEMPERATURE',
  'RUNBOOK_SKILL_PUBLISH_ENABLED',
  'RUNBOOK_STORE_DIR',
  'RUNBOOK_STORE_SQLITE_PATH',
  'ACTION_EXECUTION_ALLOWED_OPERATIONS',
  'ACTION_EXECUTION_API_BASE_URL',
  'ACTION_EXECUTION_API_TOKEN',
  'ACTION_EXECUTION_BACKEND',
  'ACTION_EXECUTION_CONFIRMATION_TOKEN',
  'ACTION_EXECUTION_REQUIRE_SECOND_CONFIRMATION',
];
