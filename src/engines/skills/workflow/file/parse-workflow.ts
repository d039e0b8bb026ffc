import { isMap, isPair, isScalar, LineCounter, type ParsedNode, parseDocument } from 'yaml';
import type { z } from 'zod';
import type { Language } from '#kit/language';
import { nearest } from '#kit/nearest';
import { knownKeys } from './known-keys.ts';
import { readWorkflow } from './read-workflow.ts';
import type { Workflow, WorkflowProblem } from './workflow.ts';
import { WorkflowFile } from './workflow-schema.ts';

const MOST_CHARS = 256 * 1_024;

export type ParsedWorkflow =
  | { readonly workflow: Workflow }
  | { readonly problems: readonly [WorkflowProblem, ...WorkflowProblem[]] };

/** Finds the line of a place in the data. */
type LineOf = (path: readonly PropertyKey[]) => number | undefined;

/** Reads a workflow file: everything that is wrong with it, with the line, or the workflow with its texts in a language. */
export function parseWorkflow(text: string, path: string, language: Language = 'en'): ParsedWorkflow {
  const problems: WorkflowProblem[] = [];
  const told = (line: number | undefined, problem: string, fix: string) =>
    problems.push({ path, ...(line === undefined ? {} : { line }), problem, fix });
  if (text.length > MOST_CHARS) {
    told(undefined, `The file has more than ${MOST_CHARS / 1_024} KiB`, 'Split it into several skills');
    return ended(problems);
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  for (const { message, pos } of document.errors) {
    told(
      lines.linePos(pos[0]).line,
      `This is not valid YAML: ${message}`,
      'Mend the indentation or the quotes',
    );
  }
  if (problems.length > 0) return ended(problems);
  const lineOf: LineOf = (place) => {
    const at = offsetOf(document.contents, place);
    return at === undefined ? undefined : lines.linePos(at).line;
  };
  const read = WorkflowFile.safeParse(document.toJS({ maxAliasCount: 100 }));
  if (!read.success) {
    for (const issue of read.error.issues) report(issue, [], lineOf, told);
    return ended(problems);
  }
  const workflow = readWorkflow(read.data.skill, language, (place, problem, fix) =>
    told(lineOf(['skill', ...place]), problem, fix),
  );
  return problems.length > 0 ? ended(problems) : { workflow };
}

function ended(problems: readonly WorkflowProblem[]): ParsedWorkflow {
  const [first, ...rest] = problems.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0));
  if (!first) throw new Error('a file that cannot be read has a problem');
  return { problems: [first, ...rest] };
}

function report(
  issue: z.core.$ZodIssue,
  above: readonly PropertyKey[],
  lineOf: LineOf,
  told: (line: number | undefined, problem: string, fix: string) => void,
): void {
  const path = [...above, ...issue.path];
  const where = path.filter((part) => part !== 'skill').join('.') || 'the file';
  if (issue.code === 'unrecognized_keys') {
    for (const key of issue.keys) {
      const known = knownKeys(WorkflowFile, path);
      const meant = nearest(key, known);
      const fix = meant ? `Did you mean '${meant}'?` : `Known here: ${known.join(', ')}`;
      told(lineOf([...path, key]), `'${key}' is not known in ${where}`, fix);
    }
    return;
  }
  const closest = issue.code === 'invalid_union' ? closestMember(issue.errors) : undefined;
  if (closest) {
    for (const inner of closest) report(inner, path, lineOf, told);
    return;
  }
  if (path.length === 0 || (path.length === 1 && path[0] === 'skill')) {
    told(
      1,
      'A workflow is a file with `skill:` at its top level',
      'Begin it with `skill:` and indent the rest',
    );
    return;
  }
  told(
    lineOf(path),
    `${where}: ${issue.message}`,
    `See docs/workflows.md for what '${String(path.at(-1))}' takes`,
  );
}

/** Of a union, the member that the data was meant to be: the one that got furthest into it. */
function closestMember(
  members: readonly (readonly z.core.$ZodIssue[])[],
): readonly z.core.$ZodIssue[] | undefined {
  const deep = members.filter((issues) =>
    issues.every(({ path, code }) => path.length > 0 || code === 'unrecognized_keys'),
  );
  return deep.toSorted((a, b) => a.length - b.length)[0];
}

/** Where a value begins; for a key that a map has, where the key does; else the nearest place above. */
function offsetOf(node: ParsedNode | null, path: readonly PropertyKey[]): number | undefined {
  let at = node?.range[0];
  let here: unknown = node;
  for (const part of path) {
    if (isMap(here)) {
      const pair = here.items.find(({ key }) => isScalar(key) && String(key.value) === String(part));
      if (!isPair(pair)) return at;
      at = isScalar(pair.key) ? (pair.key.range?.[0] ?? at) : at;
      here = pair.value;
    } else if (here && typeof here === 'object' && 'items' in here && Array.isArray(here.items)) {
      here = here.items[Number(part)];
      at = (here as ParsedNode | undefined)?.range?.[0] ?? at;
    } else return at;
  }
  return at;
}
