import { isRecord } from '#kit/is-record';
import type { ConfigPath } from './config-path.ts';
import { invalidFile } from './invalid-config.ts';
import type { Problem } from './problem.ts';
import { NOT_READ_YET } from './unread/not-read-yet.ts';
import { siftUnread } from './unread/unread-keys.ts';
import { readYaml, type YamlSource } from './yaml-source.ts';

/** `profiles/<name>.yaml`: the configuration of a profile in one file, under what its own config.yaml says. */
export interface ProfileFile {
  readonly file: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly place: YamlSource['place'];
  /** What it sets and nothing reads. */
  readonly unread: readonly Problem[];
}

/** Settings may stand inside its group `profile` or beside it. Throws `config.invalid` for what is no such file. */
export function readProfileFile(text: string, file: string): ProfileFile {
  const yaml = readYaml(text, file);
  if (yaml.problems.length > 0) throw invalidFile(yaml.problems);
  const inside = siftUnread(yaml, file, NOT_READ_YET.profile, ['profile']);
  const beside = siftUnread({ ...yaml, data: inside.data ?? {} }, file, NOT_READ_YET.profile);
  if (!isRecord(beside.data)) throw mustHold(file, []);
  const { profile = {}, ...rest } = beside.data;
  if (!isRecord(profile)) throw mustHold(file, ['profile'], yaml);
  const { name: _name, description: _description, ...own } = profile;
  const place: ProfileFile['place'] = (path, part) => {
    const [group = ''] = path;
    return yaml.place(Object.hasOwn(own, group) ? ['profile', ...path] : path, part);
  };
  return { file, data: { ...rest, ...own }, place, unread: [...inside.warnings, ...beside.warnings] };
}

function mustHold(file: string, path: ConfigPath, yaml?: YamlSource): Error {
  const { line = 1, column = 1 } = yaml?.place(path, 'key') ?? {};
  const message = 'must hold keys and values: the name and the settings of the profile';
  return invalidFile([{ source: file, line, column, path: path.join('.'), message }]);
}

/** One configuration over another: what the upper one sets of a group stands, the rest of the group stays. */
export function laidOver(
  lower: Readonly<Record<string, unknown>>,
  upper: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const laid: Record<string, unknown> = { ...lower };
  for (const [group, set] of Object.entries(upper)) {
    const below = laid[group];
    laid[group] = isRecord(below) && isRecord(set) ? { ...below, ...set } : set;
  }
  return laid;
}
