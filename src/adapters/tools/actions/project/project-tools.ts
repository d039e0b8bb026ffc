import type { Files } from '#spec/ports';
import { textIfAny } from '../read-text.ts';

type Words = readonly [string, ...string[]];

interface ProjectTool {
  readonly name: string;
  readonly words: Words;
}

const there = async (files: Files, folder: string, names: readonly string[]): Promise<boolean> => {
  for (const name of names) if (await files.stat(`${folder}/${name}`)) return true;
  return false;
};

async function scriptOf(files: Files, folder: string, name: string): Promise<string | undefined> {
  const text = (await textIfAny(files, `${folder}/package.json`)) ?? '';
  const script = new RegExp(`"scripts"\\s*:\\s*\\{[^}]*"${name}"\\s*:\\s*"((?:[^"\\\\]|\\\\.)*)"`).exec(
    text,
  )?.[1];
  return script !== undefined && /no test specified/.test(script) ? undefined : script;
}

/** How the tests of a project are run, by the files that lie there. */
export async function testTool(files: Files, folder: string): Promise<ProjectTool | undefined> {
  if ((await scriptOf(files, folder, 'test')) !== undefined)
    return { name: 'npm', words: ['npm', 'test', '--silent'] };
  if (
    await there(files, folder, [
      'pytest.ini',
      'pyproject.toml',
      'setup.cfg',
      'tox.ini',
      'tests',
      'conftest.py',
      'requirements.txt',
    ])
  )
    return { name: 'pytest', words: ['python', '-m', 'pytest', '-q'] };
  if (await there(files, folder, ['go.mod'])) return { name: 'go', words: ['go', 'test', './...'] };
  if (await there(files, folder, ['Cargo.toml'])) return { name: 'cargo', words: ['cargo', 'test'] };
  if (await there(files, folder, ['pom.xml'])) return { name: 'maven', words: ['mvn', '-q', 'test'] };
  return undefined;
}

export async function lintTool(files: Files, folder: string): Promise<ProjectTool | undefined> {
  const eslint = [
    'eslint.config.js',
    'eslint.config.mjs',
    'eslint.config.ts',
    '.eslintrc.json',
    '.eslintrc.js',
    '.eslintrc.cjs',
  ];
  if (await there(files, folder, eslint))
    return { name: 'eslint', words: ['npx', '--no-install', 'eslint', '-f', 'json', '.'] };
  if (
    await there(files, folder, ['ruff.toml', '.ruff.toml', 'pyproject.toml', 'requirements.txt', 'setup.py'])
  )
    return { name: 'ruff', words: ['ruff', 'check', '--output-format', 'json', '.'] };
  if (await there(files, folder, ['go.mod'])) return { name: 'go vet', words: ['go', 'vet', './...'] };
  if (await there(files, folder, ['Cargo.toml']))
    return { name: 'clippy', words: ['cargo', 'clippy', '--quiet', '--message-format', 'short'] };
  if ((await scriptOf(files, folder, 'lint')) !== undefined)
    return { name: 'npm', words: ['npm', 'run', '--silent', 'lint'] };
  return undefined;
}

export async function auditTool(files: Files, folder: string): Promise<ProjectTool | undefined> {
  if (await there(files, folder, ['package-lock.json', 'npm-shrinkwrap.json']))
    return { name: 'npm', words: ['npm', 'audit', '--json'] };
  if (await there(files, folder, ['requirements.txt']))
    return { name: 'pip-audit', words: ['pip-audit', '-f', 'json', '-r', 'requirements.txt'] };
  if (await there(files, folder, ['pyproject.toml']))
    return { name: 'pip-audit', words: ['pip-audit', '-f', 'json'] };
  if (await there(files, folder, ['Cargo.lock']))
    return { name: 'cargo', words: ['cargo', 'audit', '--json'] };
  if (await there(files, folder, ['go.mod']))
    return { name: 'govulncheck', words: ['govulncheck', '-json', './...'] };
  return undefined;
}
