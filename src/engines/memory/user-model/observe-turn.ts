import { languageOf } from '#kit/language';
import { routeMessage } from '../route/route-message.ts';
import { scanTold } from '../scan/scan-memory.ts';
import type { ModelRecord } from './model-record.ts';
import { taskOf } from './task-of.ts';
import { techTerms } from './tech-terms.ts';

export interface ObservedTurn {
  readonly text: string;
  readonly at: number;
}

const DAY_MS = 86_400_000;
/** What is not said again loses half of its weight in so many days. */
const HALF_LIFE_DAYS = 60;
const MOST_TERMS = 60;
const MOST_PREFERENCES = 12;
const LONGEST_PREFERENCE = 160;
const SHORT_WORDS = 12;
const LONG_WORDS = 60;

type Weights = ModelRecord['tech'];

/** What a weight is worth at a moment. */
export const worth = ({ weight, at }: Weights[string], now: number): number =>
  weight * 0.5 ** (Math.max(0, now - at) / DAY_MS / HALF_LIFE_DAYS);

/** The model after one more turn. Rules alone; the same turns give the same model. */
export function observeTurn(model: ModelRecord, { text, at }: ObservedTurn): ModelRecord {
  const { tech, areas } = techTerms(text);
  const task = taskOf(text);
  const language = languageOf(text);
  const words = text.trim().split(/\s+/).length + (text.match(/[㐀-鿿]/g)?.length ?? 0) / 2;
  const code = /```|`[^`\n]+`/.test(text) || /\b(?:code|command|script|snippet)\b|代码|命令|脚本/i.test(text);
  const hours = [...model.hours];
  const hour = new Date(at).getHours();
  hours[hour] = (hours[hour] ?? 0) + 1;
  return {
    ...model,
    turns: model.turns + 1,
    tech: add(
      model.tech,
      tech.map((name) => [name, 1]),
      at,
    ),
    depth: add(model.depth, [...areas], at),
    tasks: add(model.tasks, task ? [[task, 1]] : [], at),
    languages: { ...model.languages, [language]: (model.languages[language] ?? 0) + 1 },
    style: {
      short: model.style.short + (words <= SHORT_WORDS ? 1 : 0),
      long: model.style.long + (words >= LONG_WORDS ? 1 : 0),
      code: model.style.code + (code ? 1 : 0),
    },
    preferences: withPreferences(model.preferences, text, at),
    hours,
  };
}

function add(weights: Weights, found: readonly (readonly [string, number])[], at: number): Weights {
  if (found.length === 0) return weights;
  const next = { ...weights };
  for (const [name, weight] of found) {
    const known = next[name];
    next[name] = { weight: (known ? worth(known, at) : 0) + weight, at };
  }
  const best = Object.entries(next).toSorted(([, a], [, b]) => worth(b, at) - worth(a, at));
  return Object.fromEntries(best.slice(0, MOST_TERMS));
}

/** Sentences in which the user says how they want things. */
function withPreferences(
  known: ModelRecord['preferences'],
  text: string,
  at: number,
): ModelRecord['preferences'] {
  const said = text
    .slice(0, 4_000)
    .split(/[\n。!!;;]|(?<=[.?])\s/)
    .map((sentence) => sentence.trim().replace(/[.。]$/, ''))
    .filter((sentence) => sentence.length <= LONGEST_PREFERENCE && !scanTold(sentence).refused)
    .flatMap((sentence) => {
      const routed = routeMessage(sentence);
      return routed.route === 'preference' && routed.text ? [routed.text] : [];
    });
  if (said.length === 0) return known;
  const kept = known.filter(({ text: old }) => !said.includes(old));
  return [...kept, ...said.map((preference) => ({ text: preference, at }))].slice(-MOST_PREFERENCES);
}
