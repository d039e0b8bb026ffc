import type { ServiceProfile } from '#spec/data';

const NAME = '[A-Za-z][\\w.-]*[\\w]';
const DEPENDS = 'depends on|relies on|calls|依赖于?|调用';
const OWNED = 'is owned by|is run by|belongs to|由|归';
const SIGNALS = 'signals|key signals|key metrics|关键指标|重点指标|核心指标';
/** A whole sentence about one service: `payment-service depends on mysql-payment and coupon-service`. */
const SENTENCES = [
  ['dependencies', new RegExp(`^(?<service>${NAME})\\s*(?:${DEPENDS})\\s*(?<value>.+)$`, 'i')],
  ['owner', new RegExp(`^(?<service>${NAME})\\s*(?:${OWNED})\\s*(?<value>.+?)\\s*(?:负责|维护|所有)?$`, 'i')],
  [
    'signals',
    new RegExp(
      `^(?<service>${NAME})\\s*的?\\s*(?:${SIGNALS})\\s*(?:are|is|[:=]|为|是|有)\\s*(?<value>.+)$`,
      'i',
    ),
  ],
] as const;
/** A line below the name of a service: `owner: payments team`. */
const FIELDS = [
  ['dependencies', /^(?:dependencies|depends on|依赖|依赖服务|下游)\s*[:=]\s*(?<value>.+)$/i],
  ['owner', /^(?:owner|team|负责人|负责团队|归属)\s*[:=]\s*(?<value>.+)$/i],
  ['signals', new RegExp(`^(?:${SIGNALS})\\s*[:=]\\s*(?<value>.+)$`, 'i')],
] as const;
const HEADING = new RegExp(`^(?:#+\\s*|service\\s*[:=]\\s*|服务\\s*[:=]\\s*)(?<service>${NAME})$`, 'i');

type Told = { readonly service: string } & Partial<
  Pick<ServiceProfile, 'dependencies' | 'owner' | 'signals'>
>;

/**
 * What notes tell about services, one line or sentence at a time: what they depend on, whose they are, which signals to look at
 * first. Everything else in them is left alone: notes are for people.
 */
export function readProfileNotes(text: string): ServiceProfile[] {
  const told: Told[] = [];
  let current: string | undefined;
  for (const line of linesOf(text)) {
    const heading = HEADING.exec(line)?.groups?.['service'];
    if (heading !== undefined) current = heading;
    else told.push(...(sentenceIn(line) ?? fieldIn(line, current) ?? []));
  }
  return mergeProfiles(told.map(({ service, ...rest }) => ({ ...empty(service), ...rest })));
}

/** A full stop ends a sentence; inside a word it is part of a name. */
const linesOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .split(/\n|。|;|\.(?=\s|$)/)
    .map((line) =>
      line
        .replace(/^[\s>*•§-]+/, '')
        .replaceAll(/[`*]/g, '')
        .trim(),
    )
    .filter(Boolean);

function sentenceIn(line: string): Told[] | undefined {
  for (const [part, pattern] of SENTENCES) {
    const { service, value } = pattern.exec(line)?.groups ?? {};
    if (service !== undefined && value !== undefined) return toldOf(service, part, value);
  }
  return undefined;
}

function fieldIn(line: string, service: string | undefined): Told[] | undefined {
  if (service === undefined) return undefined;
  for (const [part, pattern] of FIELDS) {
    const value = pattern.exec(line)?.groups?.['value'];
    if (value !== undefined) return toldOf(service, part, value);
  }
  return undefined;
}

function toldOf(service: string, part: 'dependencies' | 'owner' | 'signals', value: string): Told[] {
  if (part === 'owner') return [{ service, owner: value.trim() }];
  const names = value.split(/\s*(?:,|、|\/|\band\b|&|和|与|及|以及)\s*/i).flatMap((one) => nameIn(one));
  return names.length ? [{ service, [part]: names }] : [];
}

/** The first word: what follows it explains it. */
const nameIn = (text: string): string[] =>
  new RegExp(`^(?:the )?(${NAME})(?![\\w-])`, 'i').exec(text)?.slice(1) ?? [];

const empty = (service: string): ServiceProfile => ({
  service,
  dependencies: [],
  signals: [],
  names: {},
  rules: [],
});

/** One profile for each service. Of what is told twice the first counts; what there may be several of is put together. */
export function mergeProfiles(profiles: readonly ServiceProfile[]): ServiceProfile[] {
  return [...Map.groupBy(profiles, ({ service }) => service)].map(([service, all]) => {
    const owner = all.find((one) => one.owner !== undefined)?.owner;
    return {
      service,
      ...(owner === undefined ? {} : { owner }),
      dependencies: [...new Set(all.flatMap(({ dependencies }) => dependencies))],
      signals: [...new Set(all.flatMap(({ signals }) => signals))],
      names: Object.assign({}, ...all.map(({ names }) => names).toReversed()) as ServiceProfile['names'],
      rules: all.flatMap(({ rules }) => rules),
    };
  });
}
