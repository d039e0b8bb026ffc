import { z } from 'zod';
import { defineTool } from '#spec/ports';
import { anomaliesIn, historyIn, resultsIn } from './anomalies.ts';
import { languageFor, LanguageChoice } from '../said.ts';
import { rankOf, severityName, worst } from '../severity.ts';
import { answer, count, refusal } from '../../text/answer.ts';

const input = z.strictObject({
  results: z.unknown().describe('of parallel_health_check'),
  history: z.unknown().optional().describe('earlier results, oldest first'),
  alert_threshold: z.int().min(1).max(100).default(1).describe('failures in a row before it counts'),
  language: LanguageChoice,
});
type Input = z.infer<typeof input>;

export const tool = defineTool<Input>({
  name: 'analyze_anomalies',
  toolset: 'actions',
  description: 'What is wrong in the results of health checks, how bad, and for how long.',
  input,
  deferred: true,
  effect: () => 0,
  footprint: () => ({}),
  async run({ results: given, history: past, alert_threshold, language: asked }, context) {
    const results = resultsIn(given);
    if (results.length === 0)
      return refusal('There are no results to analyze: `results` takes what parallel_health_check gives.');
    const language = languageFor(asked ?? context.language, results);
    const history = historyIn(past);
    const items = anomaliesIn(results, history, { threshold: alert_threshold }, language).toSorted(
      (a, b) => rankOf(a.severity) - rankOf(b.severity),
    );
    const critical = items.filter(({ severity }) => severity === 'critical');
    const level = worst(items);
    const summary =
      items.length === 0
        ? 'nothing is wrong'
        : `${count(items.length, 'anomaly', 'anomalies')}, the worst ${level}`;
    const lines = items.map(({ severity, name, message }) => `[${severity}] ${name}: ${message}`);
    return answer([summary, ...lines].join('\n'), summary, {
      count: items.length,
      has_critical: critical.length > 0,
      critical,
      max_severity: level,
      max_severity_name: severityName(level, language),
      items,
      history_runs: history.length,
    });
  },
});
