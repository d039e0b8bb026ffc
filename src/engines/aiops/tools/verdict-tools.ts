import { z } from 'zod';
import { type Spoken, spoken } from '#kit/text';
import type { Evidence, Hypothesis, Rca, RecoveryCheck, Text } from '#spec/data';
import { fail } from '#kit/app-error';
import type { Tool, ToolResult } from '#spec/ports';
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

export const verdictTools = (deps: IncidentToolDeps): readonly Tool[] => [
  rcaTool(deps),
  policyTool(deps),
  recoveryTool(deps),
];

interface RcaInput extends Subject {
  window: string;
  evidence?: string[] | undefined;
}

function rcaTool({ desk }: IncidentToolDeps): Tool {
  return defineIncidentTool<RcaInput>({
    name: 'incident_rca_guard',
    description:
      'Root cause of an incident, or of what a service suffers now, from current evidence: ranked hypotheses with the evidence ids for and against, what is missing. evidence: ids to check.',
    input: z
      .strictObject({
        ...subject,
        window: spanInput('15m', '2h'),
        evidence: z.array(z.string().max(80)).max(50).optional(),
      })
      .refine(hasSubject, NO_SUBJECT),
    run: async ({ incident_id: id, service: asked, window, evidence = [] }, { signal, update }) => {
      const incident = await desk.find({ incident: id, service: asked });
      if (id !== undefined && !incident) throw fail('input.not_found', `There is no incident ${id}.`);
      if (incident?.rca) return shownRca(incident.rca, evidence, { incident_id: incident.id });
      const about = incident?.service ?? asked;
      if (about === undefined)
        throw fail('input.invalid', 'The incident names no service yet.', 'Name the service to look at.');
      update(`collecting evidence about ${about}`);
      const {
        rca,
        gaps,
        incident: found,
      } = await desk.diagnose({ service: about, windowMs: spanMs(window) }, signal);
      return shownRca(rca, evidence, { ...(found === undefined ? {} : { incident_id: found }), gaps });
    },
  });
}

function shownRca(
  stored: Rca,
  wanted: readonly string[],
  told: { incident_id?: string; gaps?: readonly Text[] },
): ToolResult {
  // For a model.
  const rca = spoken(stored, 'en');
  const more = spoken(told, 'en');
  const known = new Set(rca.evidence.map(({ id }) => id));
  const unknown = wanted.filter((id) => !known.has(id));
  const shown = rca.hypotheses.slice(0, MOST_HYPOTHESES);
  const cited = new Set([...wanted, ...shown.flatMap(({ supports, refutes }) => [...supports, ...refutes])]);
  const [first] = rca.hypotheses;
  const lines = [
    ...(more.incident_id === undefined ? [] : [`incident: ${more.incident_id}`]),
    `status: ${rca.status}`,
    ...shown.map(hypothesisLine),
    'evidence:',
    ...rca.evidence
      .filter(({ id }) => cited.has(id))
      .slice(0, MOST_EVIDENCE)
      .map(evidenceLine),
    ...rca.missing.slice(0, 6).map((what) => `missing: ${cell(what)}`),
    ...(rca.nextQuery === undefined ? [] : [`next: ${cell(rca.nextQuery)}`]),
    ...unknown.map((id) => `${cell(id, 40)} is no evidence of this diagnosis: do not cite it`),
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
    service: first?.service,
    confidence: first?.confidence,
    evidence_ids: first?.supports ?? [],
    hypotheses: shown,
    unknown,
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
  hypothesis?: { category?: string | undefined } | undefined;
}

function policyTool({ desk }: IncidentToolDeps): Tool {
  return defineIncidentTool<PolicyInput>({
    name: 'action_policy_guard',
    description:
      "What may be done about an incident: the action that the policy proposes from the incident's own diagnosis, its risk and its gates. Executes nothing.",
    input: z
      .strictObject({
        ...subject,
        hypothesis: z.looseObject({ category: z.string().max(80).optional() }).optional(),
      })
      .refine(hasSubject, NO_SUBJECT),
    run: async ({ incident_id: id, service: asked, hypothesis }, { signal }) => {
      const incident = await desk.find({ incident: id, service: asked });
      if (!incident)
        throw fail(
          'input.not_found',
          `There is no ${id === undefined ? `open incident of ${asked}` : `incident ${id}`}.`,
          'A proposal needs an incident with a diagnosis.',
        );
      const proposal = await desk.propose(incident, signal);
      const own = incident.rca?.hypotheses[0]?.category;
      const given = hypothesis?.category;
      const note =
        given === undefined || given === own
          ? []
          : [
              `note: the diagnosis says ${own ?? 'nothing yet'}, not ${cell(given, 80)}; the proposal rests on the diagnosis`,
            ];
      return shownProposal(proposal, note);
    },
  });
}

function shownProposal(proposal: DeskProposal, notes: readonly string[]): ToolResult {
  const { incident, action, why, approval, checkpoint } = spoken(proposal, 'en');
  if (!action) {
    const text = [`incident: ${incident}`, `action_type: none`, `why: ${cell(why, 400)}`, ...notes].join(
      '\n',
    );
    return said(text, `nothing is proposed: ${cell(why, 120)}`, {
      incident_id: incident,
      action_type: 'none',
    });
  }
  const target = action.params['to'];
  const changes = action.risk !== 'read_only';
  const data = {
    incident_id: incident,
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
  return said(lines.join('\n'), `${action.operation} of ${action.service} (${action.risk})`, data);
}

interface RecoveryInput extends Subject {
  window: string;
}

function recoveryTool({ desk }: IncidentToolDeps): Tool {
  return defineIncidentTool<RecoveryInput>({
    name: 'verify_recovery',
    description:
      'Checks on fresh evidence whether a service has recovered: errors, latency, traffic, error logs, traces, deploy state.',
    input: z.strictObject({ ...subject, window: spanInput('2m', '1h') }).refine(hasSubject, NO_SUBJECT),
    run: async ({ incident_id: incident, service: asked, window }, { signal }) => {
      const about = { incident, service: asked, windowMs: spanMs(window) };
      const recovery = spoken(await desk.verify(about, signal), 'en');
      const rows = recovery.checks.map((check) => [
        check.dimension,
        check.ok === undefined ? 'unknown' : check.ok ? 'ok' : 'not ok',
        ...levels(check),
        cell(check.summary, 200),
      ]);
      const text = [
        table(['dimension', 'verdict', 'usual', 'during', 'after', 'summary'], rows),
        `status: ${recovery.status}`,
      ].join('\n');
      return said(text, recovery.status, recovery);
    },
  });
}

const levels = ({
  usual,
  during,
  after,
  unit,
}: Pick<RecoveryCheck, 'usual' | 'during' | 'after' | 'unit'>): string[] =>
  [usual, during, after].map((value) => (value === undefined ? '-' : `${showNumber(value)} ${unit}`.trim()));
