import { describe, expect, it } from 'vitest';
import { cpuMs } from '#testkit/cpu-time';
import { sampleLibrary, sampleText } from '#support/engines/skills/sample-library';

const TOPICS: Readonly<Record<string, readonly [string, string]>> = {
  'certificate-renewal': [
    'Renews TLS certificates before they expire',
    '## Renew\nUse certbot and reload nginx.',
  ],
  'disk-full': [
    'Frees space on a disk that is full',
    'Find large logs with du, rotate them, vacuum the journal.',
  ],
  'queue-backlog': ['Drains a message queue that grows', 'Look at consumer lag in Kafka, add consumers.'],
  'database-restore': ['Restores PostgreSQL from a backup', 'Use pg_restore into a scratch database first.'],
  'release-rollback': ['Rolls a bad release back', 'kubectl rollout undo the deployment, watch error rates.'],
  'dns-failure': [
    'Finds out why a name does not resolve',
    'dig against every resolver, compare the answers.',
  ],
  'memory-leak': ['Finds what a Node service leaks', 'Take heap snapshots, compare retained objects.'],
  'slow-query': ['Makes a slow SQL query fast', 'EXPLAIN ANALYZE, add an index, check statistics.'],
};
const library = sampleLibrary(
  Object.fromEntries(
    Object.entries(TOPICS).map(([name, [description, body]]) => [
      `home:ops/${name}/SKILL.md`,
      sampleText(name, description, body),
    ]),
  ),
);
const first = async (text: string) => (await library.match(text, { limit: 3 }))[0];

describe('match', () => {
  it.each([
    ['the TLS certificate of the shop expires tomorrow', 'certificate-renewal'],
    ['disk on db-3 is full', 'disk-full'],
    ['kafka consumers lag behind, the backlog grows', 'queue-backlog'],
    ['please roll back the last release of checkout', 'release-rollback'],
    ['restore postgres from last night’s backup', 'database-restore'],
    ['why is this SQL query so slow?', 'slow-query'],
    ['certificates renewing automatically', 'certificate-renewal'],
  ])('finds the skill for %j', async (text, name) => {
    expect((await first(text))?.skill.name).toBe(name);
  });

  it.each([
    'thanks a lot!',
    'ok',
    'hello',
    '谢谢',
    'what did you have for dinner at the party with your sister?',
    'I painted a sunrise last year and my kids loved it so much',
    '?!',
    '',
  ])('stays silent for %j', async (text) => {
    expect(await first(text)).toBeUndefined();
  });

  it('says why', async () => {
    expect((await first('disk on db-3 is full'))?.because).toEqual(expect.arrayContaining(['disk', 'full']));
  });

  it('offers the nearest whatever it is without a gate', async () => {
    expect(await library.match('I painted a new index of my books', { limit: 1, gate: 0 })).toHaveLength(1);
  });

  it('searches without a gate', async () => {
    expect((await library.search('snapshots', 5)).map(({ skill }) => skill.name)[0]).toBe('memory-leak');
  });

  it('puts skills next that are like the best one', async () => {
    const kin = sampleLibrary({
      'home:a/SKILL.md': sampleText(
        'faiss',
        'Vector similarity search with FAISS',
        'Embeddings, vector index.',
      ),
      'home:b/SKILL.md': sampleText('cooking', 'Recipes for offline days', 'Boil water offline.'),
      'home:c/SKILL.md': sampleText(
        'qdrant',
        'Vector index for embeddings',
        'Similarity search. Runs offline.',
      ),
      'home:d/SKILL.md': sampleText('music', 'Plays songs', 'Press play.'),
    });
    const found = await kin.search('FAISS offline', 4);
    expect(found.map(({ skill }) => skill.name)).toEqual(['faiss', 'qdrant', 'cooking']);
  });

  it('listens to triggers in both languages, and to what lies around', async () => {
    const workflow = (name: string, trigger: string) =>
      `skill:\n  name: ${name}\n  version: "1.0"\n  description: d\n  trigger: ${trigger}\n  execution:\n    steps:\n      - name: s\n        command: ls\n`;
    const flows = sampleLibrary({
      'home:code_review.yaml': workflow(
        'code_review',
        '{keywords: ["代码审查", "code review"], file_patterns: ["*.ts"]}',
      ),
      'home:service_monitor.yaml': workflow('service_monitor', '{keywords: ["健康检查", "服务状态"]}'),
    });
    const found = async (text: string) =>
      (await flows.match(text, { limit: 1, files: ['a.ts'] })).map(({ skill, because }) => [
        skill.name,
        because[0],
      ]);
    expect(await found('帮我做一次代码审查')).toEqual([['code_review', '代码审查']]);
    expect(await found('看看服务状态')).toEqual([['service_monitor', '服务状态']]);
    expect(await found('do a code review of my branch')).toEqual([['code_review', 'code review']]);
    expect(await found('今天天气很好，我们去公园散步吧')).toEqual([]);
  });

  it('is not slow on a long message', async () => {
    const started = cpuMs();
    await first('disk full '.repeat(100_000));
    expect(cpuMs() - started).toBeLessThan(1_000);
  });
});

describe('the index', () => {
  it('forgets what was dropped and is the same as one built anew', async () => {
    const { skillIndex } = await import('./skill-index.ts');
    const { rankSkills } = await import('./rank-skills.ts');
    const { queryWords } = await import('./query-words.ts');
    const skills = await library.all();
    const [changed, anew] = [skillIndex(), skillIndex()];
    for (const skill of skills) changed.put(skill);
    for (const skill of skills.slice(0, 3)) changed.drop(skill);
    for (const skill of skills.slice(3)) anew.put(skill);
    for (const text of ['full disk', 'restore the backup', 'certificate', 'slow query in SQL']) {
      const list = (index: ReturnType<typeof skillIndex>) =>
        rankSkills(index, queryWords(text, index)).map(({ skill, fit }) => [skill.name, fit.toFixed(9)]);
      expect(list(changed)).toEqual(list(anew));
    }
  });
});
