import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keptLog } from '#testkit/log';
import { type Home, homeAt } from './home.ts';
import { readPromptInputs } from './prompt-inputs.ts';

let root: string;
let home: Home;
const cwd = (...path: string[]) => join(root, 'work', ...path);

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'hermes-prompt-'));
  home = homeAt(join(root, 'home'), 'default');
  await mkdir(cwd('repo', '.git'), { recursive: true });
  await mkdir(cwd('repo', 'src', 'deep'), { recursive: true });
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function write(path: string, text: string) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

describe('readPromptInputs', () => {
  const log = keptLog();

  it('is empty when there is nothing', async () => {
    expect(await readPromptInputs({ home, log }, cwd('repo'))).toEqual({});
  });

  it('reads the soul of the profile', async () => {
    await write(home.file('SOUL.md'), '\nbe kind\n');
    expect(await readPromptInputs({ home, log }, cwd('repo'))).toEqual({ soul: 'be kind' });
  });

  it('takes the first project file there is, by name', async () => {
    await write(cwd('repo', 'CLAUDE.md'), 'claude');
    await write(cwd('repo', '.cursorrules'), 'cursor');
    expect(await readPromptInputs({ home, log }, cwd('repo'))).toEqual({
      agents: { name: 'CLAUDE.md', text: 'claude' },
    });
    await write(cwd('repo', 'AGENTS.md'), 'agents');
    await write(cwd('repo', '.hermes.md'), 'hermes');
    expect(await readPromptInputs({ home, log }, cwd('repo'))).toEqual({
      agents: { name: 'AGENTS.md', text: 'agents' },
      hermes: { name: '.hermes.md', text: 'hermes' },
    });
  });

  it('looks up to the root of the repository, the nearest first, and no further', async () => {
    await write(cwd('AGENTS.md'), 'outside');
    const deep = cwd('repo', 'src', 'deep');
    expect(await readPromptInputs({ home, log }, deep)).toEqual({});
    await write(cwd('repo', 'AGENTS.md'), 'root');
    expect((await readPromptInputs({ home, log }, deep)).agents?.text).toBe('root');
    await write(cwd('repo', 'src', 'CLAUDE.md'), 'nearer');
    expect((await readPromptInputs({ home, log }, deep)).agents?.text).toBe('nearer');
  });

  it('looks only into the folder itself outside of a repository', async () => {
    await write(cwd('AGENTS.md'), 'above');
    await mkdir(cwd('plain'));
    expect(await readPromptInputs({ home, log }, cwd('plain'))).toEqual({});
    expect((await readPromptInputs({ home, log }, cwd())).agents?.text).toBe('above');
  });

  it('passes over what is blank or is no file', async () => {
    await mkdir(cwd('repo', 'AGENTS.md'));
    await write(cwd('repo', 'CLAUDE.md'), ' \n ');
    await write(cwd('repo', '.cursorrules'), 'cursor');
    expect((await readPromptInputs({ home, log }, cwd('repo'))).agents).toEqual({
      name: '.cursorrules',
      text: 'cursor',
    });
    expect(log.lines).toMatchObject([
      { level: 'warn', event: 'part.failed', part: cwd('repo', 'AGENTS.md') },
    ]);
  });
});
