import type { Host } from '#host';
import { localAudience } from '#app/terminal';
import { fail } from '#kit/app-error';
import type { Incident } from '#spec/data';
import type { GroupingRule } from '#spec/ports';
import type { CliContext } from '../command.ts';
import { EXIT } from '../exit-code.ts';
import { table } from '../table.ts';

type Needs = Pick<Host, 'incidents'>;
type Find = (host: Needs, id: string) => Promise<Incident>;

export interface MoveOptions {
  readonly service?: string;
  readonly alert?: string;
  readonly once?: boolean;
}
export interface ReplayOptions {
  readonly together?: readonly string[];
  readonly apart?: readonly string[];
  readonly without?: readonly string[];
  readonly minutes?: number;
  readonly calls?: readonly string[];
  readonly withoutCalls?: readonly string[];
  readonly days: number;
  readonly json?: boolean;
}

const MOST_PAIRS = 20;
const MINUTE_MS = 60_000;

/** Merging, splitting and moving by hand, on behalf of whoever sits at this terminal. */
export const regroupCommands = (find: Find, context: CliContext) => {
  const { incident: text } = context.text;
  const say = (line: string): number => {
    context.stdout.write(`${line}\n`);
    return EXIT.ok;
  };
  return {
    merge: async (host: Needs, from: string, into: string, once = false): Promise<number> => {
      const { regroup } = await host.incidents();
      const [gone, kept] = [await find(host, from), await find(host, into)];
      await regroup.merge(gone.id, kept.id, { by: localAudience().user, learn: !once });
      return say(text.merged(gone.id, kept.id));
    },
    move: async (
      host: Needs,
      from: string,
      into: string | undefined,
      { service, alert, once = false }: MoveOptions,
    ): Promise<number> => {
      const { regroup } = await host.incidents();
      const which = {
        ...(service === undefined ? {} : { service }),
        ...(alert === undefined ? {} : { name: alert }),
      };
      const source = await find(host, from);
      const target = into === undefined ? undefined : (await find(host, into)).id;
      const moved = await regroup.move(source.id, which, target, {
        by: localAudience().user,
        learn: !once,
      });
      return say(text.moved(source.id, moved.id));
    },
    rules: async (host: Needs, remove: string | undefined): Promise<number> => {
      const { regroup } = await host.incidents();
      if (remove !== undefined) {
        if (!(await regroup.removeRule(remove, localAudience().user)))
          throw fail('input.not_found', text.noGroupingRule(remove), 'hermes incident grouping');
        return say(text.groupingRemoved(remove));
      }
      const rules = await regroup.rules();
      if (rules.length === 0) return say(text.noGroupingRules);
      return say(
        table(
          rules.map(({ id, services, verdict, by }) => [
            id,
            services.join(' + '),
            text.verdicts[verdict],
            by,
          ]),
        ),
      );
    },
    replay: async (host: Needs, options: ReplayOptions): Promise<number> => {
      const { replayGrouping } = await host.incidents();
      const add = [
        ...(options.together ?? []).map((pair) => ruleOf(pair, 'together')),
        ...(options.apart ?? []).map((pair) => ruleOf(pair, 'apart')),
      ];
      const told = await replayGrouping({
        days: options.days,
        add,
        without: options.without ?? [],
        windowMs: options.minutes === undefined ? undefined : options.minutes * MINUTE_MS,
        calls: (options.calls ?? []).map(callOf),
        withoutCalls: (options.withoutCalls ?? []).map(callOf),
      });
      if (options.json) return say(JSON.stringify(told, undefined, 2));
      const shown = (name: string, pairs: readonly (readonly [string, string])[]): string[] => [
        ...pairs.slice(0, MOST_PAIRS).map((pair) => `  ${name}  ${pair.join(' + ')}`),
        ...(pairs.length > MOST_PAIRS ? [`  ${name}  +${pairs.length - MOST_PAIRS}`] : []),
      ];
      return say(
        [
          text.replayed(told.alerts, ...told.incidents),
          ...shown(text.verdicts.together, told.joined),
          ...shown(text.verdicts.apart, told.parted),
        ].join('\n'),
      );
    },
  };
};

/** `cart,db` */
function pairOf(pair: string): readonly [string, string] {
  const [one = '', other = '', ...more] = pair.split(',').map((part) => part.trim());
  if (!one || !other || more.length > 0)
    throw fail('input.invalid', `'${pair}' is no pair: it is written one-service,other-service.`);
  return [one, other];
}

const ruleOf = (pair: string, verdict: GroupingRule['verdict']): GroupingRule => ({
  id: `${verdict} ${pair}`,
  services: pairOf(pair),
  verdict,
  by: '',
  at: 0,
});

/** The first calls the other. */
function callOf(pair: string): { readonly from: string; readonly to: string } {
  const [from, to] = pairOf(pair);
  return { from, to };
}
