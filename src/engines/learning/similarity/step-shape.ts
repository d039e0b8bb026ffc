import { isRecord } from '#kit/is-record';
import type { ExperienceStep } from '#spec/data';
import { isName, namesIn, tokensOf } from '../experience/tokens-of.ts';

/** Stands for anything: what differs from task to task. */
const ANY = '\u0000';

/** A call without what belongs to one task only. Leaves are named by their path in the arguments. */
export interface StepShape {
  readonly tool: string;
  readonly leaves: ReadonlyMap<string, readonly string[]>;
  readonly key: string;
}

interface Call {
  readonly tool: string;
  readonly input: unknown;
}

/** The shape of a call that was made for a task: names that the task gives, and ids and numbers, may be any. */
function shapeAmong(call: Call, names: ReadonlySet<string>): StepShape {
  return shape(call, (tokens) => {
    const whole = tokens.join('').toLowerCase();
    if (tokens.length === 1 || names.has(whole)) {
      const known = names.has(whole) || /^\d+$/.test(whole) || /^[0-9a-f-]{8,}$/.test(whole);
      return known ? [ANY] : tokens;
    }
    return tokens.map((token) => (isName(token) && variable(token, names) ? ANY : token));
  });
}

/** The calls of a task with their shapes. A name that an earlier call brought up may be any as well. */
export function pathShapes(done: {
  readonly path: readonly ExperienceStep[];
  readonly task: string;
}): readonly ShapedStep[] {
  const before = shaped.get(done);
  if (before) return before;
  const names = new Set(namesIn(done.task));
  const steps = done.path.map((step) => {
    const made = { step, shape: shapeAmong(step, names) };
    if (step.ok)
      for (const token of tokensOf(step.summary)) if (isName(token)) names.add(token.toLowerCase());
    return made;
  });
  shaped.set(done, steps);
  return steps;
}

interface ShapedStep {
  readonly step: ExperienceStep;
  readonly shape: StepShape;
}

/** The same experiences are compared again and again. */
const shaped = new WeakMap<object, readonly ShapedStep[]>();

const variable = (token: string, names: ReadonlySet<string>): boolean =>
  names.has(token.toLowerCase()) || /^\d+$/.test(token) || /^[0-9a-f-]{12,}$/.test(token);

const templates = new WeakMap<object, StepShape>();
const SLOT = /<([a-z][a-z0-9_]*)>/g;

/** The shape of a step of a procedure: its slots may be anything. */
export function templateShape(call: Call): StepShape {
  const before = templates.get(call);
  if (before) return before;
  const made = shape(call, (_, text) =>
    text.split(SLOT).flatMap((part, at) => (at % 2 ? [ANY] : tokensOf(part))),
  );
  templates.set(call, made);
  return made;
}

function shape(call: Call, abstract: (tokens: string[], text: string) => readonly string[]): StepShape {
  const leaves = new Map<string, readonly string[]>();
  for (const [path, value] of leavesOf(call.input)) {
    const text = String(value);
    leaves.set(path, abstract(tokensOf(text), text));
  }
  const key = `${call.tool} ${JSON.stringify([...leaves].toSorted(([a], [b]) => (a < b ? -1 : 1)))}`;
  return { tool: call.tool, leaves, key };
}

type Leaf = string | number | boolean | null | undefined;

/** Every value of the arguments that has no parts, with its path. */
export function leavesOf(input: unknown, path = ''): (readonly [string, Leaf])[] {
  if (Array.isArray(input)) return input.flatMap((item, at) => leavesOf(item, `${path}[${at}]`));
  if (isRecord(input))
    return Object.entries(input).flatMap(([key, value]) => leavesOf(value, path ? `${path}.${key}` : key));
  return [[path, input as Leaf]];
}

const SAME_TEXT = 0.6;

/** How far two calls are the same, from 0 to 1. Another tool, or another choice among few words, is another call. */
export function sameCall(a: StepShape, b: StepShape): number {
  if (a.tool !== b.tool) return 0;
  const paths = new Set([...a.leaves.keys(), ...b.leaves.keys()]);
  if (!paths.size) return 1;
  let sum = 0;
  for (const path of paths) {
    const [left, right] = [a.leaves.get(path), b.leaves.get(path)];
    if (!left || !right) continue;
    const same = sameLeaf(left, right);
    if (same < SAME_TEXT) return 0;
    sum += same;
  }
  return sum / paths.size;
}

function sameLeaf(a: readonly string[], b: readonly string[]): number {
  if (isAny(a) || isAny(b)) return 1;
  if (a.length === 1 && b.length === 1) return a[0]?.toLowerCase() === b[0]?.toLowerCase() ? 1 : 0;
  const shared = alignment(a, b, (x, y) => (x === y || x === ANY || y === ANY ? 1 : 0)).length;
  return (2 * shared) / (a.length + b.length || 1);
}

const isAny = (tokens: readonly string[]): boolean => tokens.length === 1 && tokens[0] === ANY;

/** Pairs of places, in order, whose likeness adds up to the most. */
export function alignment<A, B>(
  left: readonly A[],
  right: readonly B[],
  likeness: (a: A, b: B) => number,
): { readonly left: number; readonly right: number; readonly likeness: number }[] {
  const width = right.length + 1;
  const best = new Float64Array((left.length + 1) * width);
  const worth = (i: number, j: number) => likeness(left[i] as A, right[j] as B);
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      const both = worth(i, j);
      const taken = both > 0 ? both + (best[(i + 1) * width + j + 1] as number) : 0;
      best[i * width + j] = Math.max(
        taken,
        best[(i + 1) * width + j] as number,
        best[i * width + j + 1] as number,
      );
    }
  }
  const pairs: { left: number; right: number; likeness: number }[] = [];
  for (let i = 0, j = 0; i < left.length && j < right.length; ) {
    const here = best[i * width + j] as number;
    const both = worth(i, j);
    if (both > 0 && Math.abs(here - both - (best[(i + 1) * width + j + 1] as number)) < 1e-9) {
      pairs.push({ left: i++, right: j++, likeness: both });
    } else if (best[(i + 1) * width + j] === here) i++;
    else j++;
  }
  return pairs;
}
