import { blankComments, jsonFault } from '#kit/jsonc';
import { invalidFile } from './invalid-config.ts';
import { readYaml, type YamlSource } from './yaml-source.ts';

/**
 * JSON in which comments and commas at the end are allowed, with the place of every key. Throws `config.invalid` with
 * file, line and column for anything else. Hermes never writes such a file, so that nobody's comments are lost.
 */
export function readJsonc(text: string, file: string): Pick<YamlSource, 'data' | 'place'> {
  const json = blankComments(text.replace(/^\uFEFF/, ' '));
  const fault = jsonFault(json);
  if (fault) {
    const before = json.slice(0, fault.at).split('\n');
    const place = { line: before.length, column: (before.at(-1) ?? '').length + 1 };
    throw invalidFile(
      [{ source: file, ...place, path: '', message: `this is no JSON: here should be ${fault.expected}` }],
      'Comments and commas at the end are allowed.',
    );
  }
  // JSON is YAML as well, and that parser knows where things stand.
  return { data: JSON.parse(json), place: readYaml(json, file).place };
}
