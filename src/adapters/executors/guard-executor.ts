import { fail } from '#kit/app-error';
import type { Operation, ProposedAction } from '#spec/data';
import type { Executor } from '#spec/ports';
import { spellAction } from './action-params.ts';

export interface AllowList {
  readonly operations: readonly Operation[];
  /** Absent: every service. */
  readonly services?: readonly string[];
  /** What `params.namespace` may say; absent: nothing but the executor's own settings decides. */
  readonly namespaces?: readonly string[];
}

/** Parameters with which an action of one service could be aimed at another. */
const RENAMES = ['deployment', 'application', 'config_map'] as const;

/**
 * The same executor, for what is on the list alone. Anything else is never shown to it: a rehearsal says why, and
 * `execute` throws. `reconcile` stays open, since what was begun under an older list still has to be looked up.
 */
export function guardExecutor(executor: Executor, allowed: AllowList): Executor {
  const operations = executor.operations.filter((operation) => allowed.operations.includes(operation));
  const mayName = (name: string | number | boolean | undefined, service: string): boolean =>
    !allowed.services || name === undefined || name === service || allowed.services.includes(String(name));
  const whyNot = ({ operation, service, params }: ProposedAction): string | undefined => {
    if (!executor.operations.includes(operation)) return `${executor.name} cannot do '${operation}'.`;
    if (!operations.includes(operation)) return `'${operation}' is not on the list of allowed operations.`;
    if (allowed.services && !allowed.services.includes(service))
      return `'${service}' is not on the list of allowed services.`;
    const elsewhere = RENAMES.find((name) => !mayName(params[name], service));
    if (elsewhere) return `'${elsewhere}' names something that is not on the list of allowed services.`;
    const { namespace } = params;
    if (allowed.namespaces && namespace !== undefined && !allowed.namespaces.includes(String(namespace)))
      return `The namespace '${namespace}' is not on the list of allowed namespaces.`;
    return undefined;
  };

  return {
    ...executor,
    operations,
    rehearse: async (action, signal) => {
      const why = whyNot(action);
      if (why === undefined) return executor.rehearse(action, signal);
      return { allowed: false, why, preview: spellAction(action), diff: '', state: {} };
    },
    execute: async (action, order) => {
      const why = whyNot(action);
      if (why !== undefined) throw fail('input.forbidden', `${why} Nothing was done.`);
      return executor.execute(action, order);
    },
  };
}
