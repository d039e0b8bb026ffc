/**
 * Replaces `${NAME}` and `${NAME:-default}` from `env`. `onMissing` is told each name that has neither a value
 * nor a default; such a name becomes empty.
 */
export function expandVariables(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
  onMissing: (name: string) => void,
): string {
  return text.replace(
    /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g,
    (_, name: string, fallback?: string) => {
      const value = (Object.hasOwn(env, name) && env[name]) || fallback;
      if (value === undefined) onMissing(name);
      return value ?? '';
    },
  );
}
