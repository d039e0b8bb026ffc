import { join } from 'node:path';
import { estimateTokens } from '#kit/estimate-tokens';
import { openSkillLibrary, type SkillLibrary } from '#engines/skills';
import type { SkillFile } from '#spec/ports';
import { defineBench } from '../bench.ts';
import { memoryFiles } from '../skills/memory-files.ts';
import { readSkillSet, type SkillSet } from '../skills/skill-set.ts';
import { writtenOut } from '../skills/write-out.ts';

const DEFAULT_DATA = join(import.meta.dirname, '..', '..', '..', 'shared', 'data', 'skill-select');
const FALSE_SHARE = 0.05;
const MOST = 20;

/** Which skill a message is about among many, and whether it is about any. */
export const bench = defineBench({
  summary: 'choosing a skill for a message among 200 and 2,000, and staying silent when none fits',
  goals: {
    hit1_200: { least: 0.66 },
    hit5_200: { least: 0.84 },
    fire_at_5pct_false: { least: 0.6 },
    hit5_2000: { least: 0.72 },
    p95_ms: { most: 10 },
  },
  run: async ({ data = DEFAULT_DATA, say }) => {
    const set = readSkillSet(data);
    const { loaded, viewed } = await writtenOut(set.targets, say);
    say(`${loaded} of ${set.targets.length} public skills load from disk, ${viewed} can be looked at`);
    const few = await openWith(set, 200);
    const many = await openWith(set, 2_000);
    const small = await hits(few.library, set);
    const large = await hits(many.library, set);
    const halves = halvesOf(set).map((half) => small.ranks.filter((_, at) => half.has(at)));
    say(`hit1 by half: ${halves.map((half) => round(share(half, 1))).join(' ')}`);
    say(`hit5 by half: ${halves.map((half) => round(share(half, 5))).join(' ')}`);
    const fire = await firing(few.library, set);
    const fireLarge = await firing(many.library, set);
    return {
      hit1_200: round(share(small.ranks, 1)),
      hit5_200: round(share(small.ranks, 5)),
      fire_at_5pct_false: round(fire.atFivePercent),
      fire_at_gate: round(fire.fired),
      false_at_gate: round(fire.wrongly),
      hit1_2000: round(share(large.ranks, 1)),
      hit5_2000: round(share(large.ranks, 5)),
      fire_at_gate_2000: round(fireLarge.fired),
      false_at_gate_2000: round(fireLarge.wrongly),
      p95_ms: round(percentile(await times(many.library, set), 0.95)),
      build_ms: Math.round(many.buildMs),
      build_cpu_ms: Math.round(many.buildCpuMs),
      one_change_ms: round(await oneChange(set)),
      prompt_tokens_2000: estimateTokens(await many.library.promptIndex()),
      loaded,
      viewed,
    };
  },
});

const available = () => ({
  tools: new Set<string>(),
  toolsets: new Set<string>(),
  platform: 'linux',
  variables: new Set<string>(),
});

const firstOf = ({ targets, distractors }: SkillSet, count: number): readonly SkillFile[] =>
  [...targets, ...distractors].slice(0, count);

async function openWith(
  set: SkillSet,
  count: number,
): Promise<{ readonly library: SkillLibrary; readonly buildMs: number; readonly buildCpuMs: number }> {
  const library = openSkillLibrary({
    files: memoryFiles(firstOf(set, count)),
    available,
    freshMs: Number.POSITIVE_INFINITY,
  });
  await library.all();
  const started = performance.now();
  const before = process.cpuUsage();
  await library.search('warm up', 1);
  const { user, system } = process.cpuUsage(before);
  return { library, buildMs: performance.now() - started, buildCpuMs: (user + system) / 1_000 };
}

/** The place of the right skill for every query, from 1; infinite when it is not found. */
async function hits(library: SkillLibrary, { queries }: SkillSet) {
  const ranks: number[] = [];
  for (const { query, gold } of queries) {
    const found = await library.search(query, MOST);
    const at = found.findIndex(({ skill }) => skill.name === gold);
    ranks.push(at < 0 ? Number.POSITIVE_INFINITY : at + 1);
  }
  return { ranks };
}

/** How often the right skill is offered: at the product's own gate, and where one in twenty chat lines fires. */
async function firing(library: SkillLibrary, { queries, negatives }: SkillSet) {
  const best = async (text: string, gate?: number) =>
    (await library.match(text, { limit: 1, ...(gate === undefined ? {} : { gate }) }))[0];
  let [fired, wrongly] = [0, 0];
  for (const { query, gold } of queries) if ((await best(query))?.skill.name === gold) fired++;
  for (const text of negatives) if (await best(text)) wrongly++;
  const chat: number[] = [];
  for (const text of negatives) chat.push((await best(text, 0))?.score ?? 0);
  const threshold = percentile(chat, 1 - FALSE_SHARE);
  let right = 0;
  for (const { query, gold } of queries) {
    const match = await best(query, 0);
    if (match?.skill.name === gold && match.score > threshold) right++;
  }
  return {
    fired: fired / queries.length,
    wrongly: wrongly / negatives.length,
    atFivePercent: right / queries.length,
  };
}

/** Time for every message; of three turns the middle one, for when the machine was busy with something else. */
async function times(library: SkillLibrary, { queries, negatives }: SkillSet): Promise<readonly number[]> {
  const taken: number[] = [];
  for (const text of [...queries.map(({ query }) => query), ...negatives]) {
    const turns: number[] = [];
    for (let turn = 0; turn < 3; turn++) {
      const started = performance.now();
      await library.match(text, { limit: 3 });
      turns.push(performance.now() - started);
    }
    taken.push(percentile(turns, 0.5));
  }
  return taken;
}

/** Time to take up one changed skill among 2,000. */
async function oneChange(set: SkillSet): Promise<number> {
  const files = memoryFiles(firstOf(set, 2_000).map((file) => ({ ...file, root: 'home' as const })));
  const library = openSkillLibrary({ files, available, freshMs: Number.POSITIVE_INFINITY });
  await library.search('warm up', 1);
  const [first] = set.targets;
  if (!first) return 0;
  await files.write([{ path: first.path, text: `${first.text}\nA line about zebras.\n` }]);
  library.refresh();
  const started = performance.now();
  await library.search('zebras', 1);
  return performance.now() - started;
}

/** Queries by the skill they are about: what holds for one half of the skills should hold for the other. */
function halvesOf({ queries }: SkillSet): readonly ReadonlySet<number>[] {
  const skills = [...new Set(queries.map(({ gold }) => gold))];
  return [0, 1].map(
    (half) => new Set(queries.flatMap(({ gold }, at) => (skills.indexOf(gold) % 2 === half ? [at] : []))),
  );
}

const share = (ranks: readonly number[], within: number): number =>
  ranks.filter((rank) => rank <= within).length / (ranks.length || 1);

const round = (value: number): number => Math.round(value * 1_000) / 1_000;

function percentile(values: readonly number[], at: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * at))] ?? 0;
}
