import { describe, expect, it } from 'vitest';
import { experience, scriptedLibrary, step } from '#support/engines/learning/scripted-library';
import { openLearning } from '../open-learning.ts';
import { editFront } from '../procedure/front-matter.ts';

const DAY_MS = 86_400_000;

async function taught() {
  let now = 0;
  const library = scriptedLibrary({ now: () => now });
  const learning = openLearning(library);
  for (const host of ['node-1', 'node-2', 'node-3'])
    await learning.record(
      experience(`drain the machine ${host}`, [step('host_cordon', { host }), step('host_evict', { host })], {
        at: 0,
      }),
    );
  const name = library.edits[0]?.skill ?? '';
  const path = `learned/${name}/SKILL.md`;
  return { library, learning, name, path, later: (days: number) => void (now = days * DAY_MS) };
}

describe('curate', () => {
  it('marks what is not used, then archives it; both are told once', async () => {
    const { library, learning, name, path, later } = await taught();
    expect(await learning.curate()).toEqual([]);
    later(31);
    expect(await learning.curate()).toMatchObject([{ kind: 'stale', skill: name }]);
    expect(await learning.curate()).toEqual([]);
    later(91);
    expect(await learning.curate()).toMatchObject([{ kind: 'archived', skill: name }]);
    expect([...library.texts.keys()]).toEqual([`.archive/${path}`]);
    expect(library.edits[0]).toMatchObject({ action: 'archived', by: 'curator' });
  });

  it('leaves pinned skills and those of others alone', async () => {
    const { library, learning, name, later } = await taught();
    later(200);
    await learning.pin(name, true);
    expect(await learning.curate()).toEqual([]);
    await learning.pin(name, false);
    library.trust.set(name, 'user');
    expect(await learning.curate()).toEqual([]);
    expect(library.texts.size).toBe(1);
  });

  it('makes one of two that say the same', async () => {
    const { library, learning, name, path } = await taught();
    const text = library.texts.get(path) ?? '';
    const twin = editFront(text, { name: `${name}-2`, 'metadata.hermes.created_from': ['exp_other'] });
    library.texts.set(
      `learned/${name}-2/SKILL.md`,
      twin.replace('## Inputs', '- empty the machine some host\n\n## Inputs'),
    );
    expect(await learning.curate()).toMatchObject([{ kind: 'merged', skill: name }]);
    const merged = library.texts.get(path) ?? '';
    expect(merged).toContain('- empty the machine some host');
    expect(library.skill(name)?.createdFrom).toContain('exp_other');
    expect(library.texts.has(`.archive/learned/${name}-2/SKILL.md`)).toBe(true);
    expect(library.skill(`${name}-2`)).toBeUndefined();
  });

  it('keeps skills apart that only share tools', async () => {
    const { library, learning, name, path } = await taught();
    const other = editFront(library.texts.get(path) ?? '', {
      name: 'other',
      description: 'Retire racks before a move',
    });
    library.texts.set('learned/other/SKILL.md', other);
    expect(await learning.curate()).toEqual([]);
    expect(library.skill(name)).toBeDefined();
  });
});
