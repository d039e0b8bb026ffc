import { z } from 'zod';
import { type Language, languageOf } from '#kit/language';
import { type Spoken, spoken } from '#kit/text';
import type { Evidence, Hypothesis, Rca, RecoveryCheck, Text } from '#spec/data';
import { fail } from '#kit/app-error';
import type { Tool, ToolResult } from '#spec/ports';
import { otherName } from '../rca/opinion/read-causes.ts';
import { type Opinion, weighOpinion } from '../rca/opinion/weigh-opinion.ts';
import { showNumber } from '../rca/show-number.ts';
import { defineIncidentTool, type IncidentToolDeps } from './define-incident-tool.ts';
import type { DeskProposal } from './incident-desk.ts';
import { cell, said, table } from './show-table.ts';
import { spanInput, spanMs } from './time-window.ts';

const MOST_HYPOTHESES = 4;
const MOST_EVIDENCE = 16;

/** An incident by its id, or what a service suffers. */
const subject = {
  incident_id: z.string().min(1).max(100).optional(),
  service: z.string().min(1).max(200).optional(),
};
interface Subject {
  incident_id?: string | undefined;
  service?: string | undefined;
}
const hasSubject = ({ incident_id, service }: Subject): boolean => (incident_id ?? service) !== undefined;
const NO_SUBJECT = 'incident_id or service is missing';

const idInput = z.string().max(80);
/** What a person or a model thinks the cause is: in their words, or in parts. Other fields are not read. */
const hypothesisInput = z
  .union([
    z.string().min(1).max(600),
    z.looseObject({
      category: idInput.optional(),
      service: z.string().max(200).optional(),
      change: z.string().max(200).optional(),
      evidence_ids: z.array(idInput).max(50).optional(),
      why: z.string().max(600).optional(),
    }),
  ])
  .optional();
type GivenHypothesis = z.infer<typeof hypothesisInput>;

function opinionOf(given: NonNullable<GivenHypothesis>): Opinion & { readonly language: Language } {
  if (typeof given === 'string') return { text: given, language: languageOf(given) };
  const { category, service, change, evidence_ids: evidence, why: text } = given;
  return { category, service, change, evidence, text, language: text ? languageOf(text) : 'en' };
}

/** What the diagnosis says to a cause that was brought along, as lines and as data. */
function weighed(given: GivenHypothesis, rca: Rca | undefined) {
  if (given === undefined) return { lines: [], data: {} };
  const { language, ...opinion } = opinionOf(given);
  if (!rca)
    return { lines: ['hypothesis: there is no diagnosis yet that it could be held against'], data: {} };
  const answer = spoken(weighOpinion(rca, opinion), language);
  return {
    lines: [`hypothesis: ${answer.verdict}`, ...answer.said.map((line) => `  ${cell(line, 400)}`)],
    data: { hypothesis_verdict: answer },
  };
}

export const verdictTools = (deps: IncidentToolDeps): readonly Tool[] => [
  rcaTool(deps),
  policyTool(deps),
  recoveryTool(deps),
];

interface RcaInput extends Subject {
  window: string;
  evidence?: string[] | undefined;
  hypothesis?: GivenHypothesis;
}

function rcaTool({ desk }: IncidentToolDeps): Tool {
  return defineIncidentTool<RcaInput>({
    name: 'incident_rca_guard',
    description:
      'Root cause of an incident, or of what a service suffers now, from current evidence: ranked hypotheses with the evidence ids for and against, what is missing. evidence: ids to check; hypothesis: another cause to hold against it.',
    input: z
      .strictObject({
        ...subject,
        window: spanInput('15m', '2h'),
        evidence: z.array(idInput).max(50).optional(),
        hypothesis: hypothesisInput,
      })
      .refine(hasSubject, NO_SUBJECT),
    run: async ({ incident_id, service: asked, window, evidence = [], hypothesis: given }, context) => {
      const { signal, update } = context;
      const incident = await desk.find({ incident: incident_id, service: asked });
      if (incident_id !== undefined && !incident)
        throw fail('input.not_found', `There is no incident ${incident_id}.`);
      if (incident?.rca) return shownRca(incident.rca, { evidence, given }, { incident_id: incident.id });
      const about = incident?.service ?? asked;
      if (about === undefined)
        throw fail('input.invalid', 'The incident names no service yet.', 'Name the service to look at.');
      update(`collecting evidence about ${about}`);
      const {
        rca,
        gaps,
        incident: found,
      } = await desk.diagnose({ service: about, windowMs: spanMs(window) }, signal);
      return shownRca(
        rca,
        { evidence, given },
        { ...(found === undefined ? {} : { incident_id: found }), gaps },
      );
    },
  });
}

function shownRca(
  stored: Rca,
  { evidence: wanted, given }: { readonly evidence: readonly string[]; readonly given: GivenHypothesis },
  told: { incident_id?: string; gaps?: readonly Text[] },
): ToolResult {
  // For a model.
  const rca = spoken(stored, 'en');
  const more = spoken(told, 'en');
  const known = new Set(rca.evidence.map((one) => one.id));
  const unknown = wanted.filter((one) => !known.has(one));
  const shown = rca.hypotheses.slice(0, MOST_HYPOTHESES);
  const cited = new Set([...wanted, ...shown.flatMap(({ supports, refutes }) => [...supports, ...refutes])]);
  const [first] = rca.hypotheses;
  const opinion = weighed(given, stored);
  const cites = new Set(first?.supports);
  const alias =
    first &&
    otherName(
      first,
      rca.evidence.flatMap((one) => (cites.has(one.id) ? [one.summary] : [])),
    );
  const lines = [
    ...(more.incident_id === undefined ? [] : [`incident: ${more.incident_id}`]),
    `status: ${rca.status}`,
    ...shown.map(hypothesisLine),
    ...(alias === undefined ? [] : [`also_called: ${alias}`]),
    'evidence:',
    ...rca.evidence
      .filter((one) => cited.has(one.id))
      .slice(0, MOST_EVIDENCE)
      .map(evidenceLine),
    ...rca.missing.slice(0, 6).map((what) => `missing: ${cell(what)}`),
    ...(rca.nextQuery === undefined ? [] : [`next: ${cell(rca.nextQuery)}`]),
    ...unknown.map((one) => `${cell(one, 40)} is no evidence of this diagnosis: do not cite it`),
    ...opinion.lines,
    'Cite only these ids. What is remembered is a weak prior and no evidence.',
  ];
  const summary =
    first && rca.status === 'concluded'
      ? `${first.category}${first.service === undefined ? '' : ` in ${first.service}`}, ${Math.round(first.confidence * 100)} %`
      : rca.status;
  return said(lines.join('\n'), summary, {
    ...more,
    status: rca.status,
    category: first?.category,
    ...(alias === undefined ? {} : { also_called: alias }),
    service: first?.service,
    confidence: first?.confidence,
    evidence_ids: first?.supports ?? [],
    hypotheses: shown,
    unknown,
    ...opinion.data,
  });
}

function hypothesisLine(hypothesis: Spoken<Hypothesis>, index: number): string {
  const { category, service: where, change, confidence, supports, refutes, why } = hypothesis;
  const parts = [
    `${index + 1}. ${category}`,
    ...(where === undefined ? [] : [`in ${cell(where, 80)}`]),
    ...(change === undefined ? [] : [`by ${cell(change, 60)}`]),
    `(confidence ${confidence.toFixed(2)}): ${cell(why, 240)}`,
  ];
  const against = refutes.length ? `; against: ${refutes.join(', ')}` : '';
  return `${parts.join(' ')}; for: ${supports.join(', ') || 'nothing'}${against}`;
}

const evidenceLine = ({ id, summary, source }: Spoken<Evidence>): string =>
  `${id}: ${cell(summary, 240)}${source === undefined ? '' : ` [${cell(source, 40)}]`}`;

interface PolicyInput extends Subject {
  window: string;
  hypothesis?: GivenHypothesis;
}

function policyTool({ desk }: IncidentToolDeps): Tool {
  return defineIncidentTool<PolicyInput>({
    name: 'action_policy_guard',
    description:
      'What may be done about an incident, or about what a service suffers now: the action that the policy proposes from the diagnosis, its risk and its gates. hypothesis: another cause to hold against the evidence. Executes nothing.',
    input: z
      .strictObject({ ...subject, window: spanInput('15m', '2h'), hypothesis: hypothesisInput })
      .refine(hasSubject, NO_SUBJECT),
    run: async ({ incident_id, service = '', window, hypothesis: given }, { signal, update }) => {
      const incident = await desk.find({ incident: incident_id, service });
      if (incident_id !== undefined && !incident)
        throw fail('input.not_found', `There is no incident ${incident_id}.`);
      if (!incident) update(`collecting evidence about ${service}`);
      const proposal = await desk.propose(
        incident ? { incident } : { service, windowMs: spanMs(window) },
        signal,
      );
      return shownProposal(proposal, weighed(given, proposal.rca));
    },
  });
}

const NO_INCIDENT =
  'No incident is open, so this can only be rehearsed. To have it carried out, open one (incident_open): it has the approval, the checkpoint and the audit.';

function shownProposal(proposal: DeskProposal, opinion: ReturnType<typeof weighed>): ToolResult {
  const { incident, action, why, approval, checkpoint } = spoken(proposal, 'en');
  const of = incident === undefined ? {} : { incident_id: incident };
  const notes = [...opinion.lines, ...(incident === undefined ? [NO_INCIDENT] : [])];
  if (!action) {
    const data = { ...of, action_type: 'none', ...opinion.data };
    const head = incident === undefined ? [] : [`incident: ${incident}`];
    const text = [...head, 'action_type: none', `why: ${cell(why, 400)}`, ...notes].join('\n');
    return said(text, `nothing is proposed: ${cell(why, 120)}`, data);
  }
  const target = action.params['to'];
  const changes = action.risk !== 'read_only';
  const data = {
    ...of,
    action_type: action.operation,
    service: action.service,
    ...(target === undefined ? {} : { target_revision: String(target) }),
    risk_level: action.risk,
    requires_approval: changes,
    checkpoint_before_execution: changes,
    second_confirmation: action.confirmTwice,
    dry_run_default: true,
    ...(approval === undefined ? {} : { approval_id: approval }),
    ...(checkpoint === undefined ? {} : { checkpoint_id: checkpoint }),
    evidence_ids: action.evidence,
    params: action.params,
  };
  const lines = [
    ...Object.entries(data).map(
      ([name, value]) =>
        `${name}: ${cell(typeof value === 'object' ? JSON.stringify(value) : String(value), 300)}`,
    ),
    `reason: ${cell(action.reason, 400)}`,
    ...(action.dryRunOnly === undefined ? [] : [`only a dry run: ${cell(action.dryRunOnly, 300)}`]),
    ...notes,
    ...(changes ? ['A person has to approve it; no tool can.'] : []),
  ];
  const summary = `${action.operation} of ${action.service} (${action.risk})`;
  return said(lines.join('\n'), summary, { ...data, ...opinion.data });
}

interface RecoveryInput extends Subject {
  window: string;
}

function recoveryTool({ desk }: IncidentToolDeps): Tool {
  return defineIncidentTool<RecoveryInput>({
    name: 'verify_recovery',
    description:
      'Checks on fresh evidence whether a service has recovered: errors, latency, traffic, error logs, traces, deploy state. Without an incident it compares with the time before.',
    input: z.strictObject({ ...subject, window: spanInput('2m', '1h') }).refine(hasSubject, NO_SUBJECT),
    run: async ({ incident_id: incident, service: asked, window }, { signal }) => {
      const about = { incident, service: asked, windowMs: spanMs(window) };
      const { recovery, incident: of } = spoken(await desk.verify(about, signal), 'en');
      const rows = recovery.checks.map((check) => [
        check.dimension,
        check.ok === undefined ? 'unknown' : check.ok ? 'ok' : 'not ok',
        ...levels(check),
        cell(check.summary, 200),
      ]);
      const text = [
        table(['dimension', 'verdict', 'usual', 'during', 'after', 'summary'], rows),
        `status: ${recovery.status}`,
        ...(of === undefined ? [AGAINST_BEFORE] : []),
      ].join('\n');
      return said(text, recovery.status, { ...(of === undefined ? {} : { incident_id: of }), ...recovery });
    },
  });
}

const AGAINST_BEFORE =
  'No incident is open: usual is the time before, during the last minutes before this window. It says whether the service is as usual.';

const levels = ({
  usual,
  during,
  after,
  unit,
}: Pick<RecoveryCheck, 'usual' | 'during' | 'after' | 'unit'>): string[] =>
  [usual, during, after].map((value) => (value === undefined ? '-' : `${showNumber(value)} ${unit}`.trim()));
