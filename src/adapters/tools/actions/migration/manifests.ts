import type { Files } from '#spec/ports';
import { textIfAny } from '../read-text.ts';
import { parseVersion } from './versions.ts';

export const ECOSYSTEMS = ['npm', 'pypi', 'go', 'cargo'] as const;
export type Ecosystem = (typeof ECOSYSTEMS)[number];

export interface Dependency {
  readonly name: string;
  /** As installed where that is known, otherwise as demanded. */
  readonly version: string;
  readonly demanded: string;
  readonly ecosystem: Ecosystem;
  readonly manifest: string;
  readonly dev: boolean;
}

/** What a manifest asks for. One of an unknown name has nothing. */
export async function dependenciesOf(files: Files, manifest: string): Promise<Dependency[]> {
  const text = await textIfAny(files, manifest, 2_000_000);
  if (text === undefined) return [];
  const name = manifest.split('/').at(-1) ?? '';
  if (name === 'package.json') return npmDependencies(files, manifest, text);
  const made = (ecosystem: Ecosystem) => (found: readonly [string, string]) => ({
    name: found[0],
    version: versionText(found[1]),
    demanded: found[1],
    ecosystem,
    manifest,
    dev: false,
  });
  if (/requirements.*\.txt$/.test(name)) return requirements(text).map(made('pypi'));
  if (name === 'pyproject.toml') return pyproject(text).map(made('pypi'));
  if (name === 'go.mod') return goModules(text).map(made('go'));
  return name === 'Cargo.toml' ? cargo(text).map(made('cargo')) : [];
}

const versionText = (demanded: string): string => {
  const found = parseVersion(demanded);
  return found ? `${found.slice(0, 3).join('.')}${found[3] ? `-${found[3]}` : ''}` : demanded;
};

async function npmDependencies(files: Files, manifest: string, text: string): Promise<Dependency[]> {
  const folder = manifest.replace(/package\.json$/, '');
  const listed = [...sectionOf(text, 'dependencies', false), ...sectionOf(text, 'devDependencies', true)];
  return Promise.all(
    listed.map(async ({ name, demanded, dev }) => {
      const installed = await textIfAny(files, `${folder}node_modules/${name}/package.json`, 500_000);
      const version = installed && /"version"\s*:\s*"([^"]+)"/.exec(installed)?.[1];
      return {
        name,
        version: version ?? versionText(demanded),
        demanded,
        ecosystem: 'npm' as const,
        manifest,
        dev,
      };
    }),
  );
}

function sectionOf(text: string, key: string, dev: boolean) {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // A manifest that npm could not read either names nothing.
    return [];
  }
  const section = (value as Record<string, unknown> | null)?.[key];
  if (typeof section !== 'object' || section === null) return [];
  return Object.entries(section)
    .filter(
      (pair): pair is [string, string] => typeof pair[1] === 'string' && /^[@\w][\w./@-]*$/.test(pair[0]),
    )
    .map(([name, demanded]) => ({ name, demanded, dev }));
}

const requirements = (text: string): (readonly [string, string])[] =>
  text.split('\n').flatMap((line) => {
    const found = /^\s*([A-Za-z0-9][\w.-]*)(?:\[[^\]]*\])?\s*((?:[=<>!~]=?\s*[\w.*+!-]+\s*,?\s*)*)/.exec(
      line,
    );
    return found?.[1] && !/^\s*(?:#|-)/.test(line) ? [[found[1], (found[2] ?? '').trim()] as const] : [];
  });

/** `dependencies = ["requests>=2"]`, and the tables of Poetry. */
function pyproject(text: string): (readonly [string, string])[] {
  const listed = /^dependencies\s*=\s*\[([\s\S]*?)\]\s*$/m.exec(text)?.[1] ?? '';
  const words = [...listed.matchAll(/["']([^"']+)["']/g)].map(([, word = '']) => word).join('\n');
  const poetry = /^\[tool\.poetry\.dependencies\]\s*\n((?:(?!\[).*\n?)*)/m.exec(text)?.[1] ?? '';
  return [...requirements(words), ...tomlTable(poetry)].filter(([name]) => name !== 'python');
}

const tomlTable = (body: string): (readonly [string, string])[] =>
  [...body.matchAll(/^([\w-]+)\s*=\s*(?:"([^"]*)"|\{[^}]*version\s*=\s*"([^"]*)")/gm)].map(
    ([, name = '', plain, inside]) => [name, plain ?? inside ?? ''] as const,
  );

const goModules = (text: string): (readonly [string, string])[] =>
  [
    ...text.matchAll(/^\s*(?:require\s+)?([\w.-]+\.[\w.-]+\/[\w./~-]+|[\w-]+\.[\w.-]+)\s+(v[\d][\w.+-]*)/gm),
  ].map(([, name = '', version = '']) => [name, version] as const);

const cargo = (text: string): (readonly [string, string])[] =>
  [...text.matchAll(/^\[(?:dev-|build-)?dependencies\]\s*\n((?:(?!\[).*\n?)*)/gm)].flatMap(([, body = '']) =>
    tomlTable(body),
  );
