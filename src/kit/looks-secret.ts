const SECRET_NAME =
  /key|token|secret|pass(word|wd|phrase)?$|passw|credential|auth|cookie|session|private|dsn|_pwd$|_pat$|webhook|connection_string/i;

/** Whether the name of a variable says that its value is nobody else's business. */
export const looksSecret = (name: string): boolean => SECRET_NAME.test(name);

const SECRET_FILE =
  /^(?:\.env(?:\..+)?|.*\.(?:pem|key|p12|pfx|jks|kdbx|keystore)|credentials(?:\..+)?|secrets?\.(?:ya?ml|json|toml|ini)|\.npmrc|\.pypirc|\.htpasswd|.*_history)$/i;

/** Whether a path leads out of the workspace, or to a file that usually holds secrets. */
export function looksPrivate(path: string): boolean {
  const parts = path.split('/');
  return /^[/~]/.test(path) || parts.includes('..') || SECRET_FILE.test(parts.at(-1) ?? '');
}
