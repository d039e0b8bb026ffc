import { languageOf } from '#kit/language';
import { Language } from '#spec/data';

/** The language of what an action writes for people. Without it, that of the material. */
export const LanguageChoice = Language.optional().describe('of the text; default: as the material');

/** How much of the material is looked at. */
const SAMPLE = 20_000;
/** Fields that people read; paths and code say nothing about their language. */
const TOLD = /^(?:title|name|message|summary|text|description)$/;

export const languageFor = (asked: Language | undefined, material: unknown): Language =>
  asked ?? languageOf(told(material, true, 6).slice(0, SAMPLE));

function told(value: unknown, counts: boolean, depth: number): string {
  if (typeof value === 'string') return counts ? value : '';
  if (depth === 0 || typeof value !== 'object' || value === null) return '';
  if (Array.isArray(value)) return value.map((entry) => told(entry, counts, depth - 1)).join('\n');
  return Object.entries(value)
    .map(([key, field]) => told(field, TOLD.test(key), depth - 1))
    .join('\n');
}
