import { parseDocument } from 'yaml';
import type { IncidentFact } from '#spec/data';
import type { Sieve } from './clean-text.ts';
import { pitfallLines, queryLines, recordRow, tableRow } from './skill-text.ts';
import type { Story } from './story.ts';
import { headingOf, lessonWords, type LessonWords } from './words.ts';

const FRONT = /^---\n([\s\S]*?)\n---/;
const MOST_SOURCES = 20;
const MOST_ROWS = 20;

/**
 * The skill of a fault that came again: a higher version, the counts, a row of the record, and queries and pitfalls that
 * are new. Everything else stays as it was written, by whomever. The same incident changes nothing twice.
 */
export function renewSkill(
  existing: string,
  story: Story,
  facts: readonly IncidentFact[],
  sieve: Sieve,
): string | undefined {
  const text = existing.replaceAll('\r\n', '\n');
  const front = FRONT.exec(text)?.[1];
  if (front === undefined) return undefined;
  const document = parseDocument(front);
  if (document.errors.length) return undefined;
  const at = (name: string): string[] => ['metadata', 'hermes', name];
  const sources = listOf(document.getIn(at('created_from')));
  if (sources.includes(story.incident.id)) return existing;
  document.set('version', nextVersion(document.get('version')));
  document.setIn(at('created_from'), [...sources, story.incident.id].slice(-MOST_SOURCES));
  document.setIn(at('seen'), countOf(document.getIn(at('seen'))) + 1);
  const recovered = countOf(document.getIn(at('recovered')));
  document.setIn(at('recovered'), recovered + (story.proof === 'recovery' ? 1 : 0));
  const words = lessonWords(hasHeading(text, lessonWords('zh').record) ? 'zh' : 'en');
  const withFront = text.replace(FRONT, () => `---\n${document.toString().trimEnd()}\n---`);
  const withQueries = addLines(withFront, 'queries', queryLines(story, sieve), words);
  const withPitfalls = addLines(withQueries, 'pitfalls', pitfallLines(story, facts, words, sieve), words);
  return addRecord(withPitfalls, story, words);
}

const countOf = (value: unknown): number => (typeof value === 'number' && value >= 0 ? value : 0);

function listOf(value: unknown): string[] {
  const plain: unknown =
    value !== null && typeof value === 'object' && 'toJSON' in value && typeof value.toJSON === 'function'
      ? value.toJSON()
      : value;
  return Array.isArray(plain) ? plain.map(String) : [];
}

function nextVersion(version: unknown): string {
  const text =
    typeof version === 'number' ? String(version) : typeof version === 'string' ? version : '1.0.0';
  return /\d/.test(text) ? text.replace(/(\d+)(?!.*\d)/, (last) => String(Number(last) + 1)) : '1.0.1';
}

const hasHeading = (text: string, name: string): boolean => text.split('\n').includes(`## ${name}`);

/** First and last line of a section's own lines; undefined when the text has no such section. */
function sectionOf(
  lines: readonly string[],
  names: readonly string[],
): readonly [number, number] | undefined {
  const start = lines.findIndex((line) => names.some((name) => line.trim() === `## ${name}`));
  if (start < 0) return undefined;
  const next = lines.findIndex((line, index) => index > start && /^#{1,2} /.test(line));
  let end = next < 0 ? lines.length : next;
  while (end > start + 1 && lines[end - 1]?.trim() === '') end--;
  return [start, end];
}

/** Numbers differ from time to time: what stands before them tells whether a line is new. */
const gist = (line: string): string => line.replace(/: [\d.e+-]+ → [\d.e+-]+$/, '');

/** At the end of their section, or in a new one before the record. */
function addLines(
  text: string,
  section: 'queries' | 'pitfalls',
  wanted: readonly string[],
  words: LessonWords,
): string {
  const lines = text.split('\n');
  const fresh = wanted.filter((line) => !lines.some((known) => gist(known) === gist(line)));
  if (!fresh.length) return text;
  const found = sectionOf(lines, headingOf(section));
  if (found) return [...lines.slice(0, found[1]), ...fresh, ...lines.slice(found[1])].join('\n');
  const place = sectionOf(lines, headingOf('record'))?.[0] ?? lines.length;
  const added = [`## ${words[section]}`, '', ...fresh, ''];
  return [...lines.slice(0, place), ...added, ...lines.slice(place)].join('\n');
}

function addRecord(text: string, story: Story, words: LessonWords): string {
  const lines = text.split('\n');
  const row = recordRow(story, words);
  const found = sectionOf(lines, headingOf('record'));
  if (!found) {
    const table = [
      '',
      `## ${words.record}`,
      '',
      tableRow(words.columns),
      tableRow(words.columns.map(() => '---')),
      row,
      '',
    ];
    return `${text.trimEnd()}\n${table.join('\n')}`;
  }
  const own = lines.slice(found[0], found[1]);
  const isRow = (line: string): boolean => line.startsWith('| ') && !/^\| -{3}/.test(line);
  const rows = own.filter(isRow).slice(1);
  const dropped = new Set(rows.slice(0, Math.max(0, rows.length + 1 - MOST_ROWS)));
  const kept = own.filter((line) => !dropped.has(line));
  return [...lines.slice(0, found[0]), ...kept, row, ...lines.slice(found[1])].join('\n');
}
