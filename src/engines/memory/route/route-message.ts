import { type Language, languageOf } from '#kit/language';
import { INCIDENT, INCIDENT_ASKED, LAST_TIME, PREFERENCE, PUBLISH, RECALL, REMEMBER } from './phrases.ts';

export const ROUTES = ['incident', 'remember', 'recall', 'preference', 'publish_skill', 'chat'] as const;
export type Route = (typeof ROUTES)[number];

export interface RoutedMessage {
  readonly route: Route;
  /** What is to be remembered, in the words of the user; what is looked for; the name of a skill. */
  readonly text?: string;
}

const MOST_CHARS = 4_000;
const LONGEST_QUESTION = 200;
/** Who asks for something this way does not speak to the memory. */
const POLITE =
  /^(?:(?:hi|hello|hey|ok|okay|so|and|well|please|pls|hermes|好的?|请|麻烦(?:你)?|嗨|你好|另外|对了|还有)[\s,,!!。.::]{1,4}){0,4}/i;

/**
 * Which way a message takes, by rules alone: an incident, something to remember, a question about the past, a
 * preference of the user, a wish to keep a procedure as a skill, or a chat. What is not certain is a chat.
 */
export function routeMessage(given: string, language: Language = languageOf(given)): RoutedMessage {
  const text = given.slice(0, MOST_CHARS).trim().replace(POLITE, '').trim();
  if (!text) return { route: 'chat' };
  const both = (patterns: Readonly<Record<Language, readonly RegExp[]>>) => [
    ...patterns[language],
    ...patterns[language === 'zh' ? 'en' : 'zh'],
  ];
  const published = firstMatch(both(PUBLISH), text);
  if (published) return { route: 'publish_skill', ...(published.rest ? { text: published.rest } : {}) };
  // "do you remember …" asks, before "remember …" tells.
  if (firstMatch(both(RECALL), text) || asksForLastTime(text)) return { route: 'recall', text };
  const told = firstMatch(both(REMEMBER), text);
  if (told && !isQuestion(text)) {
    const what = tidy(told.rest ?? '');
    if (!what) return { route: 'chat' };
    return { route: firstMatch(both(PREFERENCE), what) ? 'preference' : 'remember', text: what };
  }
  if (firstMatch(both(PREFERENCE), text) && !isQuestion(text))
    return { route: 'preference', text: tidy(text) };
  if (isIncident(text)) return { route: 'incident', text };
  return { route: 'chat' };
}

/** Whether a message asks what the conversation before this one was about. */
export const asksForLastTime = (text: string): boolean =>
  text.length <= LONGEST_QUESTION &&
  firstMatch([...LAST_TIME.en, ...LAST_TIME.zh], text.trim()) !== undefined;

function firstMatch(patterns: readonly RegExp[], text: string): { readonly rest?: string } | undefined {
  for (const pattern of patterns) {
    const found = pattern.exec(text);
    if (found) return { ...(found.groups?.['rest'] ? { rest: found.groups['rest'] } : {}) };
  }
  return undefined;
}

const isQuestion = (text: string): boolean => /[??]\s*$|[吗呢么]\s*[。.]?\s*$/.test(text);

/** Something is broken now, and either it is named as an alert or somebody asks for help with it. */
const isIncident = (text: string): boolean =>
  INCIDENT.some((pattern) => pattern.test(text)) && INCIDENT_ASKED.some((pattern) => pattern.test(text));

/** A sentence without the punctuation around it. */
const tidy = (text: string): string =>
  text
    .trim()
    .replace(/^[\s::,,"“”'`-]+|[\s"“”`]+$/g, '')
    .trim();
