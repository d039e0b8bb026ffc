import { isRecord } from '#kit/is-record';
import type { ExperienceStep } from '#spec/data';
import { isName, namesIn, piecesOf, tokensOf } from '../experience/tokens-of.ts';
import type { ProcedureStep, Slot } from '../procedure/procedure.ts';
import { leavesOf } from '../similarity/step-shape.ts';
import type { CommonStep } from './common-path.ts';

/** A procedure drawn from examples, and what each of its slots was in each of them. */
export interface Generalised {
  readonly steps: readonly ProcedureStep[];
  readonly slots: readonly Slot[];
  /** By slot, in the order of the examples. */
  readonly values: ReadonlyMap<string, readonly (string | undefined)[]>;
}

/** Turns what differs between the examples into slots, and keeps what is the same. */
export function generalise(path: readonly CommonStep[], tasks: readonly string[]): Generalised {
  const slots = slotBook(path, tasks);
  const steps = path.map(({ calls }, at): ProcedureStep => {
    const base = calls.find(Boolean) as ExperienceStep;
    const there = calls.map((call) => (call ? new Map(leavesOf(call.input)) : undefined));
    const least = calls.filter(Boolean).length * (2 / 3);
    const input = mapLeaves(base.input, '', (leaf) => {
      const values = there.map((leaves) => leaves?.get(leaf));
      if (values.filter((value) => value !== undefined).length < least) return undefined;
      return common(values, leaf, at, slots);
    });
    return { tool: base.tool, input: input ?? {} };
  });
  return { steps, slots: slots.all(), values: slots.values };
}

/** One value for all examples: the value itself where it is the same, a text with slots where it is not. */
function common(
  values: readonly (string | number | boolean | null | undefined)[],
  leaf: string,
  at: number,
  slots: SlotBook,
): unknown {
  const known = values.filter((value) => value !== undefined);
  const texts = values.map((value) => (value === undefined ? undefined : String(value)));
  const [first] = known;
  const same = known.every((value) => value === first);
  const name = leaf.split(/[.[\]]+/).findLast((part) => part && !/^\d+$/.test(part)) ?? 'value';
  if (typeof first !== 'string' || !same) {
    if (same && !slots.isOfTask(texts)) return first;
    const parts = typeof first === 'string' ? inParts(texts, name, at, slots) : undefined;
    return parts ?? slots.take(name, texts, at);
  }
  return inParts(texts, name, at, slots) ?? first;
}

/** Texts of the same build are compared piece by piece, so that a command keeps its words. */
function inParts(
  texts: readonly (string | undefined)[],
  name: string,
  at: number,
  slots: SlotBook,
): string | undefined {
  const rows = texts.map((text) => (text === undefined ? undefined : piecesOf(text)));
  const base = rows.find((row) => row !== undefined);
  if (!base || rows.some((row) => row && row.length !== base.length)) return undefined;
  if (base.length > 1 && slots.isOfTask(texts)) return slots.take(name, texts, at);
  let before = name;
  return base
    .map((piece, place) => {
      const column = rows.map((row) => row?.[place]);
      const same = column.every((one) => one === undefined || one === piece);
      const word = base.length === 1 ? name : before;
      if (/^-*[a-z]+$/i.test(piece)) before = piece.replace(/^-+/, '').toLowerCase();
      if (same && !(isName(piece) && slots.isOfTask(column))) return piece;
      return slots.take(word, column, at);
    })
    .join('');
}

function mapLeaves(input: unknown, path: string, change: (path: string) => unknown): unknown {
  if (Array.isArray(input))
    return input.flatMap((item, at) => {
      const value = mapLeaves(item, `${path}[${at}]`, change);
      return value === undefined ? [] : [value];
    });
  if (!isRecord(input)) return change(path);
  const entries = Object.entries(input).map(
    ([key, value]) => [key, mapLeaves(value, path ? `${path}.${key}` : key, change)] as const,
  );
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

interface SlotBook {
  /** Whether each of these stands in the task that it was used for. */
  isOfTask(values: readonly (string | undefined)[]): boolean;
  /** The slot for these values, written `<name>`: one that had the same values before, or a new one. */
  take(name: string, values: readonly (string | undefined)[], step: number): string;
  all(): Slot[];
  readonly values: Map<string, readonly (string | undefined)[]>;
}

function slotBook(path: readonly CommonStep[], tasks: readonly string[]): SlotBook {
  const names = tasks.map(namesIn);
  const slots = new Map<string, Slot>();
  const values = new Map<string, readonly (string | undefined)[]>();
  const every = (column: readonly (string | undefined)[], has: (value: string, at: number) => boolean) =>
    column.some((value) => value !== undefined) &&
    column.every((value, at) => value === undefined || has(value, at));
  const isOfTask = (column: readonly (string | undefined)[]) =>
    every(column, (value, at) => {
      const task = tasks[at] ?? '';
      const low = value.toLowerCase();
      return names[at]?.has(low) === true || (tokensOf(value).length > 1 && task.toLowerCase().includes(low));
    });
  const earlier = (column: readonly (string | undefined)[], before: number) =>
    path
      .slice(0, before)
      .findLastIndex(({ calls }) =>
        every(
          column,
          (value, at) => calls[at] !== undefined && namesIn(calls[at].summary).has(value.toLowerCase()),
        ),
      );
  const find = (column: readonly (string | undefined)[]) =>
    [...values].find(([, known]) =>
      known.every((value, at) => value === undefined || column[at] === undefined || value === column[at]),
    )?.[0];
  return {
    isOfTask,
    values,
    all: () => [...slots.values()],
    take: (wanted, column, step) => {
      const known = find(column);
      if (known !== undefined) return `<${known}>`;
      const plain =
        wanted
          .toLowerCase()
          .replaceAll(/[^a-z0-9]+/g, '_')
          .replace(/^[^a-z]+|_+$/g, '') || 'value';
      const name = unused(plain, slots);
      const made = earlier(column, step);
      const example = column.find((value) => value !== undefined) ?? '';
      const from = isOfTask(column) ? 'task' : made >= 0 ? 'result' : 'choice';
      const usual = from === 'task' && column.every((value) => value === undefined || value === example);
      slots.set(name, {
        name,
        from,
        example,
        ...(from === 'result' ? { step: made + 1 } : {}),
        ...(usual ? { usual } : {}),
      });
      values.set(name, column);
      return `<${name}>`;
    },
  };
}

function unused(name: string, taken: ReadonlyMap<string, unknown>): string {
  if (!taken.has(name)) return name;
  let number = 2;
  while (taken.has(`${name}_${number}`)) number++;
  return `${name}_${number}`;
}
