import type { ModelRecord } from './model-record.ts';
import { worth } from './observe-turn.ts';
import { LEAST, type ProfileField, valueText } from './profile.ts';

/** One thing that is known of a user, and what is behind it. */
interface Trait {
  readonly field: ProfileField;
  /** Its name within the field; with the field it is the path to erase. Empty: the whole field. */
  readonly part: string;
  readonly source: 'set' | 'inferred';
  /** As it was set or said. */
  readonly value?: string;
  /** How often it was seen; each time loses half of its weight in 60 days. */
  readonly weight?: number;
  /** From this weight on it is told to the model. */
  readonly needed?: number;
  /** When it was seen last. */
  readonly at?: number;
}

/** All that the model of a user rests on: what it has counted, and what was set by hand. */
export interface Traits {
  readonly turns: number;
  readonly traits: readonly Trait[];
  /** Turns by their language. */
  readonly languages: Readonly<Record<string, number>>;
  /** Turns in few words, in many, and with or about code. */
  readonly style: ModelRecord['style'];
  /** Turns by hour of the day, in the time of this machine. */
  readonly hours: readonly number[];
}

/** What is set first, then what weighs most. */
export function traitsOf(model: ModelRecord, now: number): Traits {
  const { turns, languages, style, hours } = model;
  const set = Object.entries(model.set).map(([path, value]): Trait => {
    const [field = '', ...rest] = path.split('.');
    return {
      field: field as ProfileField,
      part: rest.join('.'),
      source: 'set',
      value: valueText(value),
    };
  });
  const said = model.preferences
    .toReversed()
    .map(
      ({ text, at }): Trait => ({ field: 'preferences', part: text, source: 'inferred', value: text, at }),
    );
  return {
    turns,
    traits: [
      ...set,
      ...counted('tech_stack', model.tech, now),
      ...counted('expertise_level', model.depth, now),
      ...counted('frequent_tasks', model.tasks, now),
      ...said,
    ],
    languages,
    style,
    hours,
  };
}

const counted = (field: keyof typeof LEAST, weights: ModelRecord['tech'], now: number): Trait[] =>
  Object.entries(weights)
    .map(([part, weighted]): Trait & { weight: number } => ({
      field,
      part,
      source: 'inferred',
      weight: worth(weighted, now),
      needed: LEAST[field],
      at: weighted.at,
    }))
    .toSorted((a, b) => b.weight - a.weight);
