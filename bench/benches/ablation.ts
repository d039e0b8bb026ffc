import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineBench, MissingData } from '../bench.ts';
import { ablation, type ArmFigures } from '../recall/ablation.ts';
import { benchEmbedder } from '../recall/bench-embedder.ts';

const DEFAULT_DATA = join(import.meta.dirname, '..', '..', '..', 'shared', 'data', 'locomo');

/** A table of what each part of the ranking adds to recall; `--out` writes it as JSON. */
export const bench = defineBench({
  summary: 'what context, vectors, holograms and recency each add to recall',
  goals: {},
  run: async ({ data = DEFAULT_DATA, out, say }) => {
    const path = join(data, 'conversations.json');
    if (!existsSync(path)) throw new MissingData(`${path} is not there: give its folder with --data`);
    const embedder = await benchEmbedder(say);
    try {
      const arms = await ablation(path, embedder);
      for (const arm of arms) say(row(arm));
      if (out) writeFileSync(out, `${JSON.stringify(arms, undefined, 2)}\n`);
      return { arms: arms.length };
    } finally {
      await embedder?.close();
    }
  },
});

function row({ name, all, even, odd }: ArmFigures): string {
  const figures = [all, even, odd].map(({ r5, r10, multi_hop_r10: hops, open_domain_r10: open }) =>
    [r5, r10, hops, open].map((figure) => figure.toFixed(3)).join(' '),
  );
  return `| ${name.padEnd(24)} | ${figures.join(' | ')} |`;
}
