import { isRecord } from '#kit/is-record';
import { type ConfigPath, formatPath } from './config-path.ts';
import { applyEnv } from './env-overrides.ts';
import { expand, isReference, type Unset } from './expand.ts';
import { explainIssue, type Locate } from './explain-issue.ts';
import type { Problem } from './problem.ts';
import { laidOver, type ProfileFile } from './profile-file.ts';
import { type Config, ConfigSchema, ROOT } from './schema.ts';
import { secretsIn } from './secrets.ts';
import { readYaml, type YamlSource } from './yaml-source.ts';

export interface CheckOptions {
  /** How the text is called in problems. */
  readonly file: string;
  /** For `${NAME}`. */
  readonly env: Readonly<Record<string, string>>;
  /** Whether variables such as `HERMES_MODEL` are laid over the text. */
  readonly overrides: boolean;
  /** What lies under the text. */
  readonly under?: ProfileFile | undefined;
}

/** A configuration, or everything that is wrong with it at once. */
export type CheckedConfig = { readonly warnings: readonly Problem[] } & (
  | { readonly config: Config; readonly problems: readonly [] }
  | { readonly config?: never; readonly problems: readonly Problem[] }
);

/** Reads a text as config.yaml. Never throws for what the text says. */
export function checkConfig(text: string, options: CheckOptions): CheckedConfig {
  const yaml = readYaml(text, options.file);
  if (yaml.problems.length > 0) return { problems: yaml.problems, warnings: yaml.warnings };
  const data = yaml.data ?? {};
  if (!isRecord(data)) {
    const message = 'must hold keys and values, such as "language: en"';
    return { problems: [{ source: options.file, line: 1, path: '', message }], warnings: yaml.warnings };
  }
  const unset: Unset[] = [];
  const whole = options.under ? laidOver(options.under.data, data) : data;
  const expanded = expand(whole, ROOT, options.env, unset) as Record<string, unknown>;
  const overlaid = options.overrides
    ? applyEnv(expanded, ROOT, options.env)
    : { data: expanded, from: new Map() };
  const warnings = [...yaml.warnings, ...warn(whole, unset, locator(yaml, options, new Map()))];
  // Read once in a start: making a fast parser would take longer than the slow one.
  const parsed = ConfigSchema.safeParse(overlaid.data, { reportInput: true, jitless: true });
  if (parsed.success) return { config: parsed.data, problems: [], warnings };
  const locate = locator(yaml, options, overlaid.from);
  const problems = parsed.error.issues.flatMap((issue) => explainIssue(issue, locate));
  return { problems: problems.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0)), warnings };
}

function locator(
  yaml: YamlSource,
  { file: own, under }: Pick<CheckOptions, 'file' | 'under'>,
  from: ReadonlyMap<string, string>,
): Locate {
  return (path, part) => {
    const variable = from.get(formatPath(path));
    if (variable !== undefined) return { where: { source: variable } };
    const above = yaml.place(path, part);
    const below = above?.found === undefined ? under?.place(path, part) : undefined;
    const place = below ?? above;
    const file = below && under ? under.file : own;
    if (!place) return { where: { source: file } };
    const { found, ...position } = place;
    return { where: { source: file, ...position }, ...(found === undefined ? {} : { found }) };
  };
}

function warn(data: unknown, unset: readonly Unset[], locate: Locate): Problem[] {
  const note = (path: ConfigPath, message: string): Problem => {
    return { ...locate(path, 'value').where, path: formatPath(path), message };
  };
  const bare = secretsIn(data, ROOT).filter(({ value }) => value !== '' && !isReference(value));
  return [
    ...unset.map(({ path, variable }) => note(path, `\${${variable}} is not set`)),
    ...bare.map(({ path }) =>
      note(path, `holds a key in clear text; "hermes config set ${formatPath(path)} <key>" moves it to .env`),
    ),
  ];
}
