import type { Answer } from './answer.ts';

export interface Score {
  readonly figures: Readonly<Record<string, number>>;
  readonly hits: number;
  readonly cases: number;
}

const NONE = 'none';
const saysNone = ({ ranked }: Answer): boolean => !ranked.length || ranked[0] === NONE;

/** Ranked answers against the truth. A case without an answer is wrong. */
export function scoreAnswers(
  answers: ReadonlyMap<string, Answer>,
  truth: ReadonlyMap<string, string>,
): Score {
  const culprits = [...truth].filter(([, cause]) => cause !== NONE);
  const quiet = [...truth].filter(([, cause]) => cause === NONE);
  const ranks = culprits.map(([name, cause]) => {
    const answer = answers.get(name);
    return answer && !saysNone(answer) ? answer.ranked.indexOf(cause) + 1 : 0;
  });
  const among = (first: number): number => ranks.filter((rank) => rank > 0 && rank <= first).length;
  const silent = quiet.filter(([name]) => isSilent(answers.get(name))).length;
  const blamed = quiet.filter(([name]) => answers.has(name) && !isSilent(answers.get(name))).length;
  const undone = [...truth].filter(([name, cause]) => {
    const rollback = answers.get(name)?.rollback;
    return rollback !== undefined && rollback !== cause;
  }).length;
  const hits = among(1) + silent;
  const [low, high] = wilson(among(1), culprits.length);
  return {
    hits,
    cases: truth.size,
    figures: {
      accuracy: share(hits, truth.size),
      ...(culprits.length
        ? {
            ac1: share(among(1), culprits.length),
            ac1_low: low,
            ac1_high: high,
            ac3: share(among(3), culprits.length),
            mrr: round(ranks.reduce((sum, rank) => sum + (rank ? 1 / rank : 0), 0) / culprits.length),
          }
        : {}),
      ...(quiet.length
        ? { none_acc: share(silent, quiet.length), false_blame: share(blamed, quiet.length) }
        : {}),
      wrong_rollback: share(undone, truth.size),
    },
  };
}

const isSilent = (answer: Answer | undefined): boolean => answer !== undefined && saysNone(answer);
const round = (value: number): number => Math.round(value * 1000) / 1000;
const share = (part: number, whole: number): number => (whole ? round(part / whole) : 0);

/** The 95 % interval of a share, after Wilson. */
export function wilson(hits: number, cases: number): [number, number] {
  if (!cases) return [0, 1];
  const z = 1.96;
  const rate = hits / cases;
  const scale = 1 + (z * z) / cases;
  const centre = rate + (z * z) / (2 * cases);
  const half = z * Math.sqrt((rate * (1 - rate)) / cases + (z * z) / (4 * cases * cases));
  return [round(Math.max(0, (centre - half) / scale)), round(Math.min(1, (centre + half) / scale))];
}
