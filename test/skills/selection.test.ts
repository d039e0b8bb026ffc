import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { skillFiles } from '#adapters/store';
import { openSkillLibrary, type SkillLibrary } from '#engines/skills';
import { BESIDE, REQUESTS, UNSEEN } from './requests.ts';

const ROOT = join(import.meta.dirname, '../..');

let library: SkillLibrary;
beforeAll(() => {
  library = openSkillLibrary({
    files: skillFiles({ builtin: join(ROOT, 'skills'), home: join(ROOT, 'no-such-home') }),
    available: () => ({
      tools: new Set(['terminal']),
      toolsets: new Set(),
      platform: 'linux',
      variables: new Set(),
    }),
  });
});

describe('choosing among the built-in skills', () => {
  it('has two requests for each', async () => {
    const names = (await library.all()).map(({ name }) => name);
    expect(Object.keys(REQUESTS).sort()).toEqual(names.toSorted());
  });

  it('finds each by a request in English and in Chinese', async () => {
    const ranks = await Promise.all(
      Object.entries(REQUESTS).flatMap(([name, texts]) =>
        texts.map(async (text) => {
          const found = (await library.match(text, { limit: 10 })).map(({ skill }) => skill.name);
          return { name, text, rank: found.indexOf(name) + 1, found: found.slice(0, 3) };
        }),
      ),
    );
    const within = (most: number) =>
      ranks.filter(({ rank }) => rank > 0 && rank <= most).length / ranks.length;
    console.log(`${ranks.length} requests: first ${percent(within(1))}, among three ${percent(within(3))}`);
    expect(ranks.filter(({ rank }) => rank === 0 || rank > 3)).toEqual([]);
    expect(within(1)).toBeGreaterThan(0.85);
  });

  it('finds many by other words, and more when it is asked to search', async () => {
    const ranks = await Promise.all(
      UNSEEN.map(async ([text, name]) => {
        const isIt = ({ skill }: { readonly skill: { readonly name: string } }) => skill.name === name;
        return {
          offered: (await library.match(text, { limit: 3 })).some(isIt),
          searched: (await library.search(text, 5)).some(isIt),
        };
      }),
    );
    const share = (part: 'offered' | 'searched') => ranks.filter((rank) => rank[part]).length / ranks.length;
    const [offered, searched] = [share('offered'), share('searched')];
    console.log(`unseen requests: offered ${percent(offered)}, among five of a search ${percent(searched)}`);
    expect(offered).toBeGreaterThan(0.4);
    expect(searched).toBeGreaterThan(0.7);
  });

  it('stays silent where none fits', async () => {
    const fired = await Promise.all(
      BESIDE.map(async (text) =>
        (await library.match(text, { limit: 1 })).map(({ skill }) => [text, skill.name]),
      ),
    );
    expect(fired.flat().length, JSON.stringify(fired.flat())).toBeLessThanOrEqual(1);
  });
});

const percent = (share: number): string => `${Math.round(100 * share)} %`;
