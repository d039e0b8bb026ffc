import type { Answer } from './answer.ts';
import { brierScore, calibrationError, type Said } from './fit/calibration-error.ts';
import type { SuiteRun } from './run-suite.ts';
import { scoreAnswers } from './score.ts';
import type { Suite } from './suite.ts';

const COLUMNS = [
  ['left out', 'leftOut'],
  ['simulator only', 'simulatorOnly'],
  ['in sample', 'answers'],
  ['N-sigma', 'plain'],
] as const satisfies readonly (readonly [string, keyof SuiteRun])[];

/** First answers that are right, in each suite: by numbers that never saw its system first. */
export function headline(runs: readonly (readonly [Suite, SuiteRun])[]): string[] {
  const rows = runs.flatMap(([{ name, truth }, run]) =>
    truth ? [[name, ...COLUMNS.map(([, key]) => shown(run[key], truth))]] : [],
  );
  return rows.length
    ? [
        `| suite | ${COLUMNS.map(([title]) => title).join(' | ')} |`,
        `|---${'|---'.repeat(COLUMNS.length)}|`,
        ...rows.map((row) => `| ${row.join(' | ')} |`),
      ]
    : [];
}

function shown(answers: ReadonlyMap<string, Answer>, truth: ReadonlyMap<string, string>): string {
  const { hits, cases } = scoreAnswers(answers, truth);
  return `${hits}/${cases} (${(hits / Math.max(1, cases)).toFixed(2)})`;
}

/** What was said with which confidence and whether it came true, where somebody is named: by numbers that never saw it. */
export const toldLeftOut = (runs: readonly (readonly [Suite, SuiteRun])[]): Said[] =>
  runs.flatMap(([{ truth }, { leftOut }]) =>
    [...leftOut].flatMap(([name, { ranked, confidence }]) =>
      truth && ranked.length ? [{ said: confidence, right: ranked[0] === truth.get(name) }] : [],
    ),
  );

/** Over all that was told, and over recordings alone, which are easier than what is drawn. */
export const calibrationFigures = (
  recorded: readonly Said[],
  drawn: readonly Said[],
): Record<string, number> => ({
  ...(recorded.length
    ? { 'recorded.ece': calibrationError(recorded), 'recorded.brier': brierScore(recorded) }
    : {}),
  ...(drawn.length ? { 'sim.ece': calibrationError(drawn), 'sim.brier': brierScore(drawn) } : {}),
  ...(recorded.length && drawn.length
    ? { ece: calibrationError([...recorded, ...drawn]), brier: brierScore([...recorded, ...drawn]) }
    : {}),
});
