import type { Language } from '#kit/language';
import { nearest } from '#kit/nearest';
import { inLanguage, Spoken, SPOKEN_FIX } from './spoken.ts';
import type { Check, Requirement } from './workflow.ts';

/** The types of the long form, and the fields each takes. The first is needed unless it has a default. */
const FIELDS: Readonly<Record<Check['type'], readonly string[]>> = {
  file_exists: ['path'],
  command_available: ['command'],
  env_set: ['name', 'variable'],
  port_available: ['port'],
  port_open: ['port', 'host'],
  tool_available: ['tool'],
  http_ok: ['url'],
  container_running: ['container'],
  condition: ['condition'],
};

/** Short forms that stand for more than `<what>_<kind>`. */
const NAMED: Readonly<Record<string, Check>> = {
  dockerfile_exists: { type: 'file_exists', path: 'Dockerfile' },
  git_repository: { type: 'file_exists', path: '.git' },
  port_available: { type: 'port_available', port: '{{port}}' },
  container_running: { type: 'container_running', container: '{{project_name}}:{{version}}' },
  health_check_passed: { type: 'http_ok', url: 'http://127.0.0.1:{{port}}/' },
};

export type ReadRequirement =
  | { readonly requirement: Requirement }
  | { readonly problem: string; readonly fix: string };

/** A condition as it is written: `{type: file_exists, path: …}` or `docker_installed: true`. */
export function readRequirement(
  { message, ...raw }: Readonly<Record<string, unknown>>,
  language: Language,
): ReadRequirement {
  const said = Spoken.optional().safeParse(message);
  if (!said.success) return { problem: "'message' is not a text", fix: SPOKEN_FIX };
  const read = 'type' in raw ? readLong(raw) : readShort(raw);
  if (said.data === undefined || 'problem' in read) return read;
  return { requirement: { ...read.requirement, message: inLanguage(said.data, language) } };
}

function readLong({ type, wanted = true, ...given }: Readonly<Record<string, unknown>>): ReadRequirement {
  const known = Object.keys(FIELDS);
  const fields = known.includes(String(type)) ? FIELDS[type as Check['type']] : undefined;
  if (!fields) return unknown(`There is no check of type '${String(type)}'`, String(type), known);
  const stranger = Object.keys(given).find((key) => !fields.includes(key));
  if (stranger) {
    return unknown(`'${stranger}' is not known in a check of type '${String(type)}'`, stranger, [
      ...fields,
      'message',
      'wanted',
    ]);
  }
  const text = (field: string | undefined): string | undefined => {
    const value = field === undefined ? undefined : given[field];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
  };
  const main = text(fields[0]) ?? (type === 'env_set' ? text('variable') : undefined);
  if (main === undefined) {
    return {
      problem: `A check of type '${String(type)}' needs '${fields[0]}'`,
      fix: `Add \`${fields[0]}: …\``,
    };
  }
  if (typeof wanted !== 'boolean') return { problem: "'wanted' is true or false", fix: 'Leave it out' };
  const check = checkOf(type as Check['type'], main, text('host'));
  return { requirement: { check, wanted } };
}

function checkOf(type: Check['type'], main: string, host: string | undefined): Check {
  switch (type) {
    case 'file_exists':
      return { type, path: main };
    case 'command_available':
      return { type, command: main };
    case 'env_set':
      return { type, name: main };
    case 'port_available':
      return { type, port: main };
    case 'port_open':
      return { type, port: main, host: host ?? '127.0.0.1' };
    case 'tool_available':
      return { type, tool: main };
    case 'http_ok':
      return { type, url: main };
    case 'container_running':
      return { type, container: main };
    case 'condition':
      return { type, condition: main };
  }
}

function readShort(given: Readonly<Record<string, unknown>>): ReadRequirement {
  const entries = Object.entries(given);
  const [entry] = entries;
  if (!entry || entries.length > 1) {
    return {
      problem: 'A check is one name with a value, or has a type',
      fix: 'Write `- docker_installed: true`, or `- type: file_exists` with `path`',
    };
  }
  const [name, value] = entry;
  const check = shortCheck(name);
  if (!check) {
    const shapes = ['<command>_installed', '<NAME>_set', ...Object.keys(NAMED), ...Object.keys(FIELDS)];
    return unknown(`'${name}' is not a check that is known`, name, shapes);
  }
  const needsValue = Object.hasOwn(FIELDS, name) && !Object.hasOwn(NAMED, name);
  if (typeof value === 'boolean' && needsValue) {
    return {
      problem: `'${name}' needs to be told what`,
      fix: `Write \`${name}: <${FIELDS[check.type][0]}>\``,
    };
  }
  if (typeof value === 'boolean') return { requirement: { check, wanted: value } };
  if (typeof value !== 'string' && typeof value !== 'number') {
    return {
      problem: `'${name}' takes true, false or one value`,
      fix: `Write \`${name}: true\``,
    };
  }
  return { requirement: { check: checkOf(check.type, String(value), undefined), wanted: true } };
}

function shortCheck(name: string): Check | undefined {
  if (Object.hasOwn(NAMED, name)) return NAMED[name];
  if (Object.hasOwn(FIELDS, name)) return checkOf(name as Check['type'], '', undefined);
  const [, what, kind] = /^(.+)_(installed|set)$/.exec(name) ?? [];
  if (what && kind === 'installed') return { type: 'command_available', command: what.replaceAll('_', '-') };
  if (what && kind === 'set') return { type: 'env_set', name: what.toUpperCase() };
  return undefined;
}

function unknown(problem: string, written: string, known: readonly string[]): ReadRequirement {
  const meant = nearest(written, known);
  return { problem, fix: meant ? `Did you mean '${meant}'?` : `Known: ${known.join(', ')}` };
}
