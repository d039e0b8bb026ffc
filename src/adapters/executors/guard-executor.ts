import { fail } from '#kit/app-error';
import { catalogue, type Text } from '#kit/text';
import type { Operation, ProposedAction } from '#spec/data';
import type { Executor } from '#spec/ports';
import { nothingDone } from '#adapters/io/before-effect';
import { cannotDo, spellAction } from './action-params.ts';

export interface AllowList {
  readonly operations: readonly Operation[];
  /** Absent: every service. */
  readonly services?: readonly string[];
  /** What `params.namespace` may say; absent: nothing but the executor's own settings decides. */
  readonly namespaces?: readonly string[];
}

const words = catalogue({
  en: {
    operation: (operation: Operation) => `'${operation}' is not on the list of allowed operations.`,
    service: (service: string) => `'${service}' is not on the list of allowed services.`,
    elsewhere: (name: string) => `'${name}' names something that is not on the list of allowed services.`,
    namespace: (name: string) => `The namespace '${name}' is not on the list of allowed namespaces.`,
  },
  zh: {
    operation: (operation) => `'${operation}' 不在允许的动作列表中。`,
    service: (service) => `'${service}' 不在允许的服务列表中。`,
    elsewhere: (name) => `'${name}' 指向的对象不在允许的服务列表中。`,
    namespace: (name) => `命名空间 '${name}' 不在允许的列表中。`,
  },
});

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
  const whyNot = ({ operation, service, params }: ProposedAction): Text | undefined => {
    if (!executor.operations.includes(operation)) return cannotDo(executor.name, operation);
    if (!operations.includes(operation)) return words.operation(operation);
    if (allowed.services && !allowed.services.includes(service)) return words.service(service);
    const elsewhere = RENAMES.find((name) => !mayName(params[name], service));
    if (elsewhere) return words.elsewhere(elsewhere);
    const { namespace } = params;
    if (allowed.namespaces && namespace !== undefined && !allowed.namespaces.includes(String(namespace)))
      return words.namespace(String(namespace));
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
      if (why !== undefined) throw fail('input.forbidden', nothingDone(why));
      return executor.execute(action, order);
    },
  };
}
