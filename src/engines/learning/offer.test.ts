import { describe, expect, it } from 'vitest';
import { experience, scriptedLibrary, step } from '#support/engines/learning/scripted-library';
import { openLearning } from './open-learning.ts';

const rotate = (service: string, task: string) =>
  experience(`${task} ${service}`, [
    step('key_create', { service }),
    step('key_switch', { service, mode: 'soft' }),
    step('key_drop', { service }),
  ]);
const flush = (service: string, task: string) =>
  experience(`${task} ${service}`, [
    step('cache_flush', { service }),
    step('cache_warm', { service, share: 5 }),
  ]);

async function taught() {
  const library = scriptedLibrary();
  const learning = openLearning(library);
  for (const [at, service] of ['cart-svc', 'pay-api', 'mail-worker'].entries()) {
    await learning.record(
      rotate(service, ['rotate the signing keys of', 'signing key rotation for', 'rotate keys of'][at] ?? ''),
    );
    await learning.record(
      flush(service, ['purge stale prices in', 'stale prices shown by', 'drop the price cache of'][at] ?? ''),
    );
  }
  const names = library.edits.filter(({ action }) => action === 'created').map(({ skill }) => skill);
  const [prices = '', keys = ''] = names;
  return { library, learning, prices, keys };
}

const offered = async (
  { library, learning }: Awaited<ReturnType<typeof taught>>,
  text: string,
  found: readonly string[] = [],
) => {
  const matches = found.flatMap((name) => {
    const skill = library.skill(name);
    return skill ? [{ skill, score: 1, because: [] }] : [];
  });
  return (await learning.offer(matches, { text })).map(({ skill }) => skill.name);
};

describe('offer', () => {
  it('knows a task by tasks that were done before, also when the library does not', async () => {
    const all = await taught();
    expect(await offered(all, 'rotate signing keys of search-api')).toEqual([all.keys]);
  });

  it('is silent about something else', async () => {
    const all = await taught();
    expect(await offered(all, 'translate the banner of search-api')).toEqual([]);
    expect(await offered(all, 'translate the banner of search-api', [all.keys, all.prices])).toEqual([]);
  });

  it('does not believe the library against what was done', async () => {
    const all = await taught();
    expect(await offered(all, 'stale prices shown by search-api', [all.keys, all.prices])).toEqual([
      all.prices,
    ]);
  });

  it('wants the things that a skill takes to be named', async () => {
    const all = await taught();
    expect(await offered(all, 'rotate the signing keys of node-17', [all.keys])).toEqual([]);
  });

  it('leaves skills of others to the library', async () => {
    const all = await taught();
    all.library.trust.set(all.keys, 'community');
    expect(await offered(all, 'translate the banner of search-api', [all.keys])).toEqual([all.keys]);
  });

  it('shows one of two forms of the same skill', async () => {
    const all = await taught();
    const skill = all.library.skill(all.keys);
    if (!skill) throw new Error('there is no such skill');
    const twin = {
      ...skill,
      name: skill.name.replaceAll('-', '_'),
      form: 'workflow' as const,
      trust: 'user' as const,
    };
    const matches = [skill, twin].map((one) => ({ skill: one, score: 1, because: [] }));
    const forms = async (prefer: 'document' | 'workflow') =>
      (await all.learning.offer(matches, { text: 'rotate the signing keys of search-api', prefer })).map(
        (match) => match.skill.form,
      );
    expect(await forms('document')).toEqual(['document']);
    expect(await forms('workflow')).toEqual(['workflow']);
  });
});
