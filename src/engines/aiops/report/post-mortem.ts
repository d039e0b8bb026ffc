import { spoken } from '#kit/text';
import { actionBlocks, recoveryBlocks } from './action-blocks.ts';
import type { Block } from './block.ts';
import { causeBlocks } from './cause-blocks.ts';
import { closingBlocks } from './closing-blocks.ts';
import type { ReportInput, ReportRecords } from './report-input.ts';
import { summaryBlocks } from './summary-blocks.ts';
import { timelineBlocks } from './timeline.ts';
import { wordsOf } from './words.ts';
import { writeHtml } from './write-html.ts';
import { writeMarkdown } from './write-markdown.ts';

/**
 * The report of an incident, as far as it has come. Pure: the same records give the same bytes. Whatever came from
 * alerts, logs and models is shown as text, and nothing in the HTML is fetched or run.
 */
export function postMortem(records: ReportRecords): { readonly markdown: string; readonly html: string } {
  const { language } = records;
  const incident = spoken(records.incident, language);
  const facts = spoken(records.facts, language);
  const input: ReportInput = { ...records, incident, facts, members: spoken(records.members, language) };
  const title = `${wordsOf(language).postMortem}: ${incident.title}`;
  const blocks: readonly Block[] = [
    ...summaryBlocks(input),
    ...causeBlocks(input),
    ...actionBlocks(input),
    ...recoveryBlocks(input),
    ...timelineBlocks(facts, language),
    ...closingBlocks(input),
  ];
  return { markdown: writeMarkdown(title, blocks), html: writeHtml(title, blocks, language) };
}
