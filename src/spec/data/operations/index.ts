import { operations } from '../operations.gen.ts';
import type { CHANGE_KINDS } from '../incident.ts';
import type { Language } from '../text.ts';
import type { Effect, OperationDefinition } from './define-operation.ts';

export { type Effect, EFFECTS, type OperationDefinition, RISKS } from './define-operation.ts';

export type Operation = keyof typeof operations;

type Value = string | number | boolean;

/** An operation, and what it is done to. */
interface Act {
  readonly operation: Operation;
  readonly service: string;
  readonly params: Readonly<Record<string, Value>>;
}

/** What can be done about an incident. */
export const OPERATIONS = Object.keys(operations) as readonly Operation[];

export const definitionOf = (operation: Operation): OperationDefinition => operations[operation];

/** What people call each of them. */
export const operationNames = (language: Language): Readonly<Record<Operation, string>> =>
  Object.fromEntries(
    OPERATIONS.map((operation) => [operation, definitionOf(operation).name[language]]),
  ) as Record<Operation, string>;

/** Whether anything is another way afterwards. */
export const changesSomething = (operation: Operation): boolean => definitionOf(operation).effect !== 'none';

/** What somebody can do who can do these effects. */
export const operationsWith = (effects: readonly Effect[]): Operation[] =>
  OPERATIONS.filter((operation) => effects.includes(definitionOf(operation).effect));

/** The operation that takes back a change of this kind. */
export const operationUndoing = (kind: (typeof CHANGE_KINDS)[number]): Operation | undefined =>
  OPERATIONS.find((operation) => definitionOf(operation).undoes?.includes(kind));

/** A parameter of an action, under whichever of its names it was given. */
export function paramOf({ operation, params }: Omit<Act, 'service'>, name: string): Value | undefined {
  const { also = [], default: usual } = definitionOf(operation).params[name] ?? {};
  const given = [name, ...also].find((each) => Object.hasOwn(params, each));
  return given === undefined ? usual : params[given];
}

/** What people would type to do the same by hand, where every part of it is known and nothing in it needs quotes. */
export function likeCommand(action: Act, names: Readonly<Record<string, string>> = {}): string | undefined {
  const { like } = definitionOf(action.operation);
  const parts = like
    ?.split(' ')
    .map((word) =>
      word.replace(/\{(\w+)\}/, (_, name: string) =>
        String(paramOf(action, name) ?? names[name] ?? (TOOLS.includes(name) ? action.service : '')),
      ),
    );
  return parts?.every((part) => /^[\w.:@/=-]+$/.test(part)) ? parts.join(' ') : undefined;
}
/** Where a service has a name of its own, which is usually the same. */
const TOOLS: readonly string[] = ['argocd', 'deployment'];

/** What takes an action back: `by_hand` also where it does not say what was before (`from`). */
export function undoOf(action: Act): Act | 'nothing' | 'by_hand' {
  const { undo } = definitionOf(action.operation);
  if (typeof undo === 'string') return undo;
  if (paramOf(action, 'from') === undefined) return 'by_hand';
  const params = Object.entries(undo.params).flatMap(([name, source]) => {
    const value = paramOf(action, source);
    return value === undefined ? [] : [[name, value] as const];
  });
  const operation = (undo.operation ?? action.operation) as Operation;
  return { operation, service: action.service, params: Object.fromEntries(params) };
}
