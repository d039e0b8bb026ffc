import { isMap, isSeq, LineCounter, parseDocument } from 'yaml';
import { LANGUAGES } from '#kit/language';
import { nearest } from '#kit/nearest';
import { parseWorkflow } from '../file/parse-workflow.ts';
import type { Workflow, WorkflowProblem } from '../file/workflow.ts';
import { loadReaders } from './load-readers.ts';
import { structureProblems } from './structure-problems.ts';
import type { WorkflowTools } from './effect-level.ts';

export interface ValidatedWorkflow {
  /** Absent when the file cannot be read. */
  readonly workflow?: Workflow;
  readonly problems: readonly WorkflowProblem[];
  /** What does not keep it from running. */
  readonly warnings: readonly WorkflowProblem[];
}

/** Everything that can be said about a file before it runs. */
export async function validateWorkflow(
  text: string,
  path: string,
  tools: WorkflowTools,
): Promise<ValidatedWorkflow> {
  const parsed = parseWorkflow(text, path);
  if ('problems' in parsed) return { problems: parsed.problems, warnings: [] };
  const { workflow } = parsed;
  const line = lineFinder(text);
  const at = (place: readonly (string | number)[], problem: string, fix: string): WorkflowProblem => {
    const found = line(['skill', ...place]);
    return { path, ...(found === undefined ? {} : { line: found }), problem, fix };
  };
  const readers = await loadReaders();
  const structure = LANGUAGES.flatMap((language) => {
    const spoken = parseWorkflow(text, path, language);
    return 'workflow' in spoken ? structureProblems(spoken.workflow, readers) : [];
  });
  const problems = [...structure, ...actionProblems(workflow, tools)].map(({ place, problem, fix }) =>
    at(place, problem, fix),
  );
  // What is wrong in every language is told once.
  const once = [...new Map(problems.map((one) => [`${one.line} ${one.problem}`, one])).values()];
  return { workflow, problems: once, warnings: groupWarnings(workflow).map((warning) => at(...warning)) };
}

/** Actions that no tool stands behind. */
export function actionProblems(workflow: Workflow, tools: WorkflowTools) {
  const all = [
    ...workflow.steps.map((step, i) => ({ step, place: ['execution', 'steps', i] })),
    ...Object.entries(workflow.errorHandling).flatMap(([name, { steps }]) =>
      steps.map((step) => ({ step, place: ['error_handling', name] })),
    ),
  ];
  return all.flatMap(({ step, place }) => {
    if (tools.find(step.action)) return [];
    const meant = nearest(step.action, tools.names);
    const fix = meant ? `Did you mean '${meant}'?` : 'Every tool is an action: `hermes tools` lists them';
    return [{ place, problem: `step ${step.id} '${step.name}': there is no action '${step.action}'`, fix }];
  });
}

function groupWarnings(workflow: Workflow): readonly [readonly (string | number)[], string, string][] {
  return workflow.parallel.flatMap((group, i) =>
    group
      .filter((name) => !workflow.steps.some((step) => step.names.includes(name) || step.action === name))
      .map((name): [readonly (string | number)[], string, string] => [
        ['execution', 'parallel_steps', i],
        `No step is called '${name}' or does that`,
        'Leave it out, or add the step',
      ]),
  );
}

function lineFinder(text: string): (place: readonly (string | number)[]) => number | undefined {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  return (place) => {
    for (let end = place.length; end > 0; end--) {
      const node = document.getIn(place.slice(0, end), true);
      const range =
        isMap(node) || isSeq(node) ? node.range : (node as { range?: [number] } | undefined)?.range;
      if (range) return lines.linePos(range[0]).line;
    }
    return undefined;
  };
}
