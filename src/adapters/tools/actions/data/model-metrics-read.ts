import { tell, type Text } from '#kit/text';
import { z } from 'zod';
import { isRecord } from '#kit/is-record';
import type { Language } from '#kit/language';
import { defineTool, type ToolResult } from '#spec/ports';
import { listIn } from '../loose.ts';
import { formatOf, readRecords } from './read-records.ts';
import { textOfFile } from '../read-text.ts';
import { answer, count, refusal } from '../../text/answer.ts';
import { asResult } from '../../services/as-result.ts';

const MOST_POINTS = 200;
const STEPS = ['step', 'global_step', 'epoch', 'iteration', 'iter'];

const input = z.strictObject({
  path: z.string().min(1).describe('JSON, NDJSON or CSV with a row for each step or epoch'),
  metric: z.string().max(100).optional().describe('default: val_loss, eval_loss, loss, accuracy, …'),
  mode: z.enum(['auto', 'min', 'max']).default('auto'),
});
type Input = z.infer<typeof input>;

export const tool = defineTool<Input>({
  name: 'model_metrics_read',
  toolset: 'actions',
  description:
    'Read the metrics of a training run: best and last value, the curve, whether it diverges or overfits.',
  input,
  deferred: true,
  effect: () => 0,
  footprint: ({ path }) => ({ reads: [path] }),
  run: (asked, { files, language = 'en' }) =>
    asResult(async () => {
      const text = await textOfFile(files, asked.path);
      const format = formatOf(asked.path);
      return report(
        asked,
        rowsIn(readRecords(text, format === 'text' ? 'csv' : format, asked.path)),
        language,
      );
    }),
});

type Row = Readonly<Record<string, unknown>>;

/** A list of rows, the `log_history` of a trainer, or columns of numbers. */
function rowsIn(value: unknown): Row[] {
  const rows = listIn(value, 'log_history', 'history', 'rows', 'metrics').filter(isRecord);
  if (rows.length > 0) return rows;
  const columns = isRecord(value) ? (isRecord(value.history) ? value.history : value) : {};
  const lists = Object.entries(columns).filter((pair): pair is [string, number[]] => Array.isArray(pair[1]));
  const length = Math.max(0, ...lists.map(([, list]) => list.length));
  return Array.from({ length }, (_, at) => Object.fromEntries(lists.map(([name, list]) => [name, list[at]])));
}

interface Point {
  readonly step: number;
  readonly value: number;
}

function report({ path, metric: asked, mode }: Input, rows: readonly Row[], language: Language): ToolResult {
  const names = [
    ...new Set(rows.flatMap((row) => Object.keys(row).filter((name) => typeof row[name] === 'number'))),
  ];
  const usual = [
    'val_loss',
    'eval_loss',
    'validation_loss',
    'loss',
    'train_loss',
    'val_accuracy',
    'eval_accuracy',
    'accuracy',
    'f1',
  ];
  const metric =
    asked ?? usual.find((name) => names.includes(name)) ?? names.find((name) => !STEPS.includes(name));
  if (metric === undefined || !names.includes(metric))
    return refusal(
      `${path} has no numbers for ${asked ?? 'a metric'}. It has: ${names.join(', ') || 'none'}.`,
    );
  const curve = curveOf(rows, metric);
  const lower = mode === 'min' || (mode === 'auto' && /loss|error|perplexity|mae|mse|rmse|wer/i.test(metric));
  const better = (a: Point, b: Point) => (lower ? a.value < b.value : a.value > b.value);
  const best = curve.reduce<Point | undefined>(
    (top, point) => (!top || better(point, top) ? point : top),
    undefined,
  );
  const last = curve.at(-1);
  if (!best || !last) return refusal(`${path} has no finite value of ${metric}.`);
  const gone = rows.filter(
    (row) => row[metric] === null || row[metric] === 'NaN' || Number.isNaN(row[metric]),
  ).length;
  const spread = Math.abs((curve[0]?.value ?? 0) - best.value) || Math.abs(best.value) || 1;
  const lost = Math.abs(last.value - best.value) / spread;
  const since = curve.length - 1 - curve.indexOf(best);
  const validation = /^(?:val|eval)/.test(metric);
  const isWorse = since >= 3 && lost > 0.2;
  const percent = Math.round(lost * 100);
  const items = [
    ...(gone > 0
      ? [remark('critical', tell(`${count(gone, 'value')} is not a number`, `${gone} 个值不是数字`))]
      : []),
    ...(isWorse
      ? [
          remark(
            'high',
            tell(
              `${validation ? 'overfits' : 'diverges'}: best at step ${best.step}, ${percent} % of the gain lost since`,
              `${validation ? '过拟合' : '发散'}：第 ${best.step} 步最佳，此后损失了 ${percent} % 的收益`,
            ),
          ),
        ]
      : []),
    ...(since >= Math.max(5, curve.length / 3) && lost <= 0.2
      ? [remark('low', tell(`no gain for ${since} points`, `已有 ${since} 个数据点没有提升`))]
      : []),
  ];
  const summary = `${metric}: best ${best.value} at step ${best.step}, last ${last.value}`;
  return answer([summary, ...items.map(({ message }) => `! ${message}`)].join('\n'), summary, {
    path,
    metric,
    mode: lower ? 'min' : 'max',
    best,
    last,
    points: curve.length,
    curve: thinned(curve),
    metrics: names,
    items,
    overfits: isWorse && validation,
    diverges: gone > 0 || (isWorse && !validation),
  });

  function remark(severity: 'critical' | 'high' | 'low', message: Text) {
    return { severity, name: metric ?? '', message: message[language] };
  }
}

function curveOf(rows: readonly Row[], metric: string): Point[] {
  return rows.flatMap((row, at) => {
    const value = row[metric];
    if (typeof value !== 'number' || !Number.isFinite(value)) return [];
    const step = STEPS.map((name) => row[name]).find((found) => typeof found === 'number');
    return [{ step: typeof step === 'number' ? step : at + 1, value }];
  });
}

const thinned = (curve: readonly Point[]): readonly Point[] => {
  const every = Math.ceil(curve.length / MOST_POINTS);
  return every <= 1 ? curve : curve.filter((_, at) => at % every === 0 || at === curve.length - 1);
};
