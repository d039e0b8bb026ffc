import type { Language } from '#kit/language';
import type { ModelRecord } from './model-record.ts';
import { worth } from './observe-turn.ts';

/** The seed's names of what is known about a user. */
export const PROFILE_FIELDS = [
  'tech_stack',
  'communication_style',
  'expertise_level',
  'frequent_tasks',
  'preferences',
  'working_hours',
] as const;
export type ProfileField = (typeof PROFILE_FIELDS)[number];

interface ProfileValue {
  readonly value: string;
  /** Set by hand: it wins over whatever is inferred. */
  readonly source: 'set' | 'inferred';
}

export type Profile = Partial<Record<ProfileField, ProfileValue>>;

/** Before so many turns nothing is said about style and hours. */
const LEAST_TURNS = 5;
/** Before so much weight nothing is said about one of these. */
export const LEAST = { tech_stack: 1.5, expertise_level: 3, frequent_tasks: 1.8 };
const EXPERT = 12;

/** What the counts come to. */
export function profileOf(model: ModelRecord, now: number, language: Language): Profile {
  const inferred: Record<ProfileField, string> = {
    tech_stack: top(model.tech, now, LEAST.tech_stack, 6).join(', '),
    communication_style: styleOf(model, language),
    expertise_level: expertiseOf(model, now, language),
    frequent_tasks: top(model.tasks, now, LEAST.frequent_tasks, 4).join(', '),
    preferences: model.preferences
      .slice(-4)
      .map(({ text }) => text)
      .join(language === 'zh' ? ';' : '; '),
    working_hours: hoursOf(model),
  };
  const profile: Profile = {};
  for (const field of PROFILE_FIELDS) {
    const own = setOf(model, field, language);
    if (own) profile[field] = { value: own, source: 'set' };
    else if (inferred[field]) profile[field] = { value: inferred[field], source: 'inferred' };
  }
  return profile;
}

/** What was set for a field, or for parts of it such as `expertise_level.kubernetes`. */
function setOf(model: ModelRecord, field: ProfileField, language: Language): string {
  const whole = model.set[field];
  if (whole !== undefined) return valueText(whole);
  const parts = Object.entries(model.set).filter(([path]) => path.startsWith(`${field}.`));
  return parts
    .map(([path, value]) => `${path.slice(field.length + 1)}: ${valueText(value)}`)
    .join(language === 'zh' ? ';' : '; ');
}

/** A value that was set, as it is read. */
export const valueText = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(valueText).join(', ')
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);

function top(weights: ModelRecord['tech'], now: number, least: number, most: number): string[] {
  return Object.entries(weights)
    .map(([name, weight]) => ({ name, value: worth(weight, now) }))
    .filter(({ value }) => value >= least)
    .toSorted((a, b) => b.value - a.value || a.name.localeCompare(b.name))
    .slice(0, most)
    .map(({ name }) => name);
}

function styleOf({ turns, languages, style }: ModelRecord, language: Language): string {
  if (turns < LEAST_TURNS) return '';
  const zh = language === 'zh';
  const [main, count] = Object.entries(languages).toSorted(([, a], [, b]) => b - a)[0] ?? ['', 0];
  const parts: string[] = [];
  if (count / turns >= 0.7)
    parts.push(main === 'zh' ? (zh ? '用中文' : 'writes Chinese') : zh ? '用英文' : 'writes English');
  if (style.short / turns >= 0.6) parts.push(zh ? '话短' : 'brief');
  if (style.long / turns >= 0.4) parts.push(zh ? '说得详细' : 'detailed');
  if (style.code / turns >= 0.4) parts.push(zh ? '先看代码和命令' : 'code and commands first');
  return parts.join(zh ? '、' : ', ');
}

function expertiseOf({ depth }: ModelRecord, now: number, language: Language): string {
  const zh = language === 'zh';
  const word = { familiar: zh ? '熟悉' : 'familiar', expert: zh ? '精通' : 'expert' };
  return Object.entries(depth)
    .map(([area, weight]) => ({ area, value: worth(weight, now) }))
    .filter(({ value }) => value >= LEAST.expertise_level)
    .toSorted((a, b) => b.value - a.value || a.area.localeCompare(b.area))
    .slice(0, 4)
    .map(({ area, value }) => `${area.replaceAll('_', ' ')} ${value >= EXPERT ? word.expert : word.familiar}`)
    .join(', ');
}

/** The shortest run of hours, around midnight too, that holds nine in ten turns. */
function hoursOf({ hours, turns }: ModelRecord): string {
  const total = hours.reduce((sum, count) => sum + count, 0);
  if (turns < 2 * LEAST_TURNS || total === 0) return '';
  for (let length = 1; length <= 14; length++) {
    for (let start = 0; start < 24; start++) {
      let sum = 0;
      for (let at = 0; at < length; at++) sum += hours[(start + at) % 24] ?? 0;
      if (sum >= total * 0.9) return `${two(start)}:00–${two((start + length) % 24)}:00`;
    }
  }
  return '';
}

const two = (hour: number): string => String(hour).padStart(2, '0');
