/** Folders that are made anew rather than restored, and those of other version controls. */
const FOLDERS = new Set([
  '.git',
  '.hg',
  '.svn',
  'node_modules',
  'bower_components',
  '.venv',
  'venv',
  '__pycache__',
  '.mypy_cache',
  '.pytest_cache',
  '.ruff_cache',
  '.tox',
  '.gradle',
  '.terraform',
]);

const SECRETS: readonly RegExp[] = [
  /^\.env(?:\..+)?$/,
  /^\.envrc$/,
  /^\.(?:netrc|pgpass|pypirc|npmrc|git-credentials|htpasswd|vault-token|dockercfg)$/,
  /^_netrc$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$/,
  /\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk)$/,
  /^(?:credentials|secrets?)(?:\.(?:json|ya?ml|toml|ini|env|tfvars))?$/,
  /\.tfstate(?:\.backup)?$/,
  /\.tfvars(?:\.json)?$/,
  /^kubeconfig$/,
];

/** A sample shows how a file of secrets is written, and has none. */
const SAMPLES = /\.(?:example|sample|template|dist|defaults?)$/;

export const isLeftOutFolder = (name: string): boolean => FOLDERS.has(name.toLowerCase());

/** Whether a file holds secrets, by its name: a second copy of them is kept nowhere. */
export function isSecretFile(name: string): boolean {
  const plain = name.toLowerCase();
  return !SAMPLES.test(plain) && SECRETS.some((pattern) => pattern.test(plain));
}
