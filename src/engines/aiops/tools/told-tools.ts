import { z } from 'zod';
import { languageOf } from '#kit/language';
import { say } from '#kit/text';
import { type Incident, INCIDENT_STATES, Language, OPEN_STATES, Severity } from '#spec/data';
import type { Tool } from '#spec/ports';
import { CATEGORIES, STATES } from '../names.ts';
import { readReport } from '../intake/read-report.ts';
import { incidentCard } from '../report/incident-card.ts';
import { defineIncidentTool, type IncidentToolDeps } from './define-incident-tool.ts';
import { howToConnect } from './missing-evidence.ts';
import { cell, said } from './show-table.ts';

const MOST_LISTED = 20;

/** Tools for what people say about incidents: that there is one, and what became of others. */
export const toldTools = (deps: IncidentToolDeps): readonly Tool[] => [openTool(deps), listTool(deps)];

const WORDS = {
  en: {
    created: (id: string) => `Opened incident \`${id}\`.`,
    joined: (id: string) => `This belongs to incident \`${id}\`, which is open already.`,
    suppressed: (why: string) => `No incident was opened: ${why}`,
    readOnly: 'Only looked: evidence is read, and every change waits for an approval.',
    inconclusive: 'The evidence does not decide, so no cause is named.',
    working: 'It is being looked into; this is what is known by now.',
    connect: 'What could not be looked at, and how to connect it:',
    next: (id: string) =>
      `See it: \`hermes incident show ${id}\`. Look again: \`hermes incident look ${id}\`. Close it: \`hermes incident close ${id} --why …\`. It is watched on while \`hermes serve\` runs.`,
    none: 'There is no such incident.',
    how: 'One opens when an alert comes in (docs/webhooks.md), by `hermes incident create`, or when you say what is wrong: `payment-service 503 since the deploy, P1`.',
  },
  zh: {
    created: (id: string) => `已建立事故 \`${id}\`。`,
    joined: (id: string) => `已并入未关闭的事故 \`${id}\`。`,
    suppressed: (why: string) => `没有建立事故:${why}`,
    readOnly: '只做只读排查:仅读取证据,任何变更都要先审批。',
    inconclusive: '证据不足以定论,因此不给出根因。',
    working: '仍在排查,以下是目前已知的内容。',
    connect: '没有看到的数据,以及接入方法:',
    next: (id: string) =>
      `查看:\`hermes incident show ${id}\`。重新排查:\`hermes incident look ${id}\`。关闭:\`hermes incident close ${id} --why …\`。\`hermes serve\` 运行期间会持续关注。`,
    none: '没有这样的事故。',
    how: '收到告警(见 docs/webhooks.md)、执行 `hermes incident create`,或直接说明故障(如 `payment-service 发布后 503 飙升,P1`)都会建立事故。',
  },
} as const;

function openTool({ desk }: IncidentToolDeps): Tool {
  return defineIncidentTool<{ text: string; service: string; severity?: Severity | undefined }>({
    name: 'incident_open',
    description:
      'Opens an incident, or joins an open one, from what a person says is wrong with a service; collects evidence and gives the verdict.',
    input: z.strictObject({
      text: z.string().min(1).max(2_000),
      service: z.string().min(1).max(200),
      severity: Severity.optional(),
    }),
    effect: () => 1,
    deed: () => ({ brings: ['untrusted', 'private'] }),
    run: async ({ text, service, severity }, { audience, signal, update }) => {
      update(service);
      const read = readReport(text, { services: [service] });
      const { incident, outcome, why } = await desk.report(
        { text, service, severity: severity ?? read?.severity ?? 'P2', labels: labelsOf(read) },
        audience,
        signal,
      );
      const language = languageOf(text);
      const words = WORDS[language];
      if (!incident) return said(words.suppressed(say(why ?? outcome, language)), outcome, { outcome });
      const head = outcome === 'created' ? words.created(incident.id) : words.joined(incident.id);
      return said([head, words.readOnly, '', ...verdictLines(incident, language)].join('\n'), head, {
        incident_id: incident.id,
        outcome,
        status: incident.rca?.status,
      });
    },
  });
}

function labelsOf(read: ReturnType<typeof readReport>): Record<string, string> {
  if (!read) return {};
  const { symptoms, codes, version, afterRelease } = read;
  return {
    symptom: symptoms.join(','),
    ...(codes.length ? { status: codes.join(',') } : {}),
    ...(version === undefined ? {} : { version }),
    ...(afterRelease ? { after_release: 'true' } : {}),
  };
}

/** What is known about an incident by now, and what is missing with how to connect it. Never a guess. */
export function verdictLines(incident: Incident, language: Language): string[] {
  const words = WORDS[language];
  const { rca, id } = incident;
  const connect = howToConnect(rca?.missing ?? [], language);
  return [
    incidentCard(incident, language),
    ...(rca ? (rca.status === 'concluded' ? [] : ['', words.inconclusive]) : ['', words.working]),
    ...(connect.length ? ['', words.connect, ...connect] : []),
    '',
    words.next(id),
  ];
}

interface ListInput {
  which: 'open' | 'ended' | 'all';
  service?: string | undefined;
  limit: number;
  language?: Language | undefined;
}

function listTool({ desk }: IncidentToolDeps): Tool {
  return defineIncidentTool<ListInput>({
    name: 'incident_list',
    description: 'Incidents, newest first: open, ended or all; limit 1 shows that one with its verdict.',
    input: z.strictObject({
      which: z.enum(['open', 'ended', 'all']).default('all'),
      service: z.string().min(1).max(200).optional(),
      limit: z.int().min(1).max(MOST_LISTED).default(10),
      language: Language.optional(),
    }),
    run: async ({ which, service, limit, language = 'en' }) => {
      const open = new Set<string>(OPEN_STATES);
      const states = INCIDENT_STATES.filter(
        (state) => which === 'all' || open.has(state) === (which === 'open'),
      );
      const found = await desk.list({ states, limit, ...(service === undefined ? {} : { service }) });
      const words = WORDS[language];
      const [only] = found;
      if (!only) return said(`${words.none} ${words.how}`, words.none, { incidents: [] });
      const lines =
        limit === 1 ? verdictLines(only, language) : found.map((one) => incidentLine(one, language));
      return said(lines.join('\n'), `${found.length}`, { incidents: found.map(({ id }) => id) });
    },
  });
}

/** An incident in one line of a list. */
export function incidentLine(incident: Incident, language: Language): string {
  const { id, severity, state, title, service, createdAt, rca } = incident;
  const [first] = rca?.status === 'concluded' ? rca.hypotheses : [];
  const at = new Date(createdAt).toISOString().slice(0, 16).replace('T', ' ');
  const cause = first
    ? ` → ${[CATEGORIES[first.category][language], first.service].filter(Boolean).join(', ')}`
    : '';
  return `- \`${id}\` ${severity} ${STATES[state][language]} ${service ?? ''} ${at} ${cell(title, 100)}${cause}`;
}
