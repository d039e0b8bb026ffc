import type { Env } from './home.ts';

const SECRET_NAME = /key|token|secret|passw|credential|private|dsn|database_url|connection_string/i;
const SHORTEST = 8;

/** The values of variables whose names say that they are secrets; whatever is shown or sent must not have them in it. */
export function secretValues(env: Env): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value && value.length >= SHORTEST && SECRET_NAME.test(name) && !value.startsWith('/') ? [value] : [],
  );
}
