import pc from 'picocolors';
import type {
  Evidence,
  Hypothesis,
  Incident,
  IncidentFact,
  IncidentMember,
  ProposedAction,
  Rca,
  Reading,
} from '#spec/data';
import { undoOf } from '#spec/data/operations';
import { spoken, type Spoken } from '#kit/text';
import type { CliContext } from '../command.ts';
import type { IncidentText } from '../text/incident-text.ts';

const MOST_HYPOTHESES = 5;
const MOST_MEMBERS = 20;
const BAR = 10;

/** One incident for a terminal: what is known first, then what is proposed and what was done. */
export function incidentLines(
  stored: Incident,
  { text: { incident: text }, language }: Pick<CliContext, 'text' | 'language'>,
  options: {
    readonly facts?: readonly IncidentFact[];
    readonly members?: readonly IncidentMember[];
    readonly confirm?: string | undefined;
  } = {},
): string[] {
  const incident = spoken(stored, language);
  const { rca, reading, action, priors = [], explanation } = incident;
  return [
    ...headLines(incident, text),
    ...memberLines(spoken(options.members ?? [], language), text),
    ...(rca ? ['', ...rcaLines(rca, text)] : []),
    ...(reading ? ['', ...readingLines(reading, text)] : []),
    ...(explanation ? ['', pc.bold(text.explanation), ...indented(explanation)] : []),
    ...(priors.length
      ? [
          '',
          pc.bold(text.priors),
          ...priors.flatMap(({ text: said, ref }) => indented(`${said} ${pc.dim(`(${ref})`)}`)),
        ]
      : []),
    ...(action ? ['', ...actionLines(incident, action, text, options.confirm)] : []),
    ...outcomeLines(incident, text),
    ...(options.facts ? ['', pc.bold(text.facts), ...factLines(spoken(options.facts, language))] : []),
  ];
}

function headLines(incident: Spoken<Incident>, text: IncidentText): string[] {
  const { id, title, severity, state, note, services, startsAt, alerts, firing } = incident;
  const urgent = severity === 'P1' ? pc.red : severity === 'P2' ? pc.yellow : pc.cyan;
  return [
    `${pc.bold(title)}  ${urgent(severity)}  ${stateColour(state)(text.states[state])}`,
    pc.dim(`${id}  ${services.join(', ')}  ${text.since} ${startsAt}  ${text.alerts(alerts, firing)}`),
    ...(note ? [note] : []),
  ];
}

/** What it holds, and why each kind of alert belongs to it. */
function memberLines(members: readonly Spoken<IncidentMember>[], text: IncidentText): string[] {
  if (members.length < 2) return [];
  const left = members.length - MOST_MEMBERS;
  return [
    '',
    pc.bold(text.members),
    ...members.slice(0, MOST_MEMBERS).map(({ name, service, severity, alerts, firing, why }) => {
      const what = [severity, service, name].filter(Boolean).join(' ');
      return `  ${what}  ${pc.dim(`${text.alerts(alerts, firing)}  ${why ?? text.first}`)}`;
    }),
    ...(left > 0 ? [pc.dim(`  ${text.moreMembers(left)}`)] : []),
  ];
}

/** The verdict, the hypotheses side by side, and the evidence with its numbers. */
function rcaLines(rca: Spoken<Rca>, text: IncidentText): string[] {
  const [first] = rca.hypotheses;
  const colour = rca.status === 'concluded' ? pc.green : pc.yellow;
  const cited = new Set(
    rca.hypotheses.slice(0, MOST_HYPOTHESES).flatMap(({ supports, refutes }) => [...supports, ...refutes]),
  );
  return [
    `${pc.bold(text.verdict)}  ${colour(text.statuses[rca.status])}${first ? `  ${causeOf(first, text)}` : ''}`,
    ...(first ? [`  ${first.why}`] : []),
    '',
    pc.bold(text.hypotheses),
    ...rca.hypotheses
      .slice(0, MOST_HYPOTHESES)
      .flatMap((hypothesis, at) => hypothesisLines(hypothesis, at, text)),
    '',
    pc.bold(text.evidence),
    ...rca.evidence.filter(({ id }) => cited.has(id)).flatMap(evidenceLines),
    ...(rca.missing.length ? ['', pc.bold(text.missing), ...rca.missing.map((line) => `  ${line}`)] : []),
    ...(rca.nextQuery ? ['', `${pc.bold(text.next)}  ${rca.nextQuery}`] : []),
  ];
}

function readingLines({ said, quote, evidence }: Spoken<Reading>, text: IncidentText): string[] {
  return [
    `${pc.bold(text.reader)}  ${said}`,
    ...(quote ? [pc.dim(`  “${quote}”  ${evidence.join(', ')}`)] : []),
  ];
}

const causeOf = ({ category, service, change, confidence }: Spoken<Hypothesis>, text: IncidentText): string =>
  [
    text.categories[category],
    service && pc.bold(service),
    change && `${text.change} ${pc.bold(change)}`,
    `${Math.round(confidence * 100)} %`,
  ]
    .filter(Boolean)
    .join(' · ');

function hypothesisLines(hypothesis: Spoken<Hypothesis>, at: number, text: IncidentText): string[] {
  const full = Math.round(hypothesis.confidence * BAR);
  const bar = pc.green('█'.repeat(full)) + pc.dim('░'.repeat(BAR - full));
  const { supports, refutes } = hypothesis;
  return [
    `  ${at + 1}. ${bar} ${causeOf(hypothesis, text)}`,
    pc.dim(
      `     ${text.supports}: ${supports.join(', ') || '–'}${refutes.length ? `  ${text.refutes}: ${refutes.join(', ')}` : ''}`,
    ),
  ];
}

const evidenceLines = ({ id, summary, query, source }: Spoken<Evidence>): string[] => [
  `  ${pc.cyan(id)}  ${summary}`,
  pc.dim(`      ${[source, query].filter(Boolean).join('  ')}`),
];

const spelled = (params: Readonly<ProposedAction['params']>): string =>
  Object.entries(params)
    .map(([key, value]) => `${key}=${value}`)
    .join(' ');

function actionLines(
  { rehearsal, checkpoint, approval, state, alternatives = [] }: Spoken<Incident>,
  action: Spoken<ProposedAction>,
  text: IncidentText,
  confirm: string | undefined,
): string[] {
  const { operation, service, params, risk, reason, dryRunOnly } = action;
  const undo = undoOf(action);
  return [
    `${pc.bold(text.action)}  ${pc.bold(text.operations[operation])} ${service} ${spelled(params)}  ${pc.dim(`${text.risk}: ${text.risks[risk]}`)}`,
    `  ${reason}`,
    ...(dryRunOnly ? [`  ${pc.yellow(dryRunOnly)}`] : []),
    ...(undo === 'nothing'
      ? []
      : [
          pc.dim(
            `  ${text.undo}  ${undo === 'by_hand' ? text.byHand : `${text.operations[undo.operation]} ${undo.service} ${spelled(undo.params)}`}`,
          ),
        ]),
    ...(rehearsal
      ? [`  ${pc.dim(text.preview)}  ${rehearsal.preview}`, ...indented(coloured(rehearsal.diff), 4)]
      : []),
    ...(checkpoint
      ? [pc.dim(`  ${text.checkpoint}  ${checkpoint.id}  ${checkpoint.digest.slice(0, 12)}`)]
      : []),
    ...(approval && state === 'awaiting_approval'
      ? [`  ${text.approval}  ${pc.bold(approval)}  ${pc.cyan(text.howToApprove(approval, confirm))}`]
      : []),
    ...alternatives.map((other) =>
      pc.dim(`  ${text.alternatives}: ${text.operations[other.operation]} ${other.service}`),
    ),
  ];
}

function outcomeLines({ execution, recovery, lesson }: Spoken<Incident>, text: IncidentText): string[] {
  const mark = (ok: boolean | undefined) =>
    ok === undefined ? pc.dim('–') : ok ? pc.green('✓') : pc.red('✗');
  return [
    ...(execution
      ? [
          '',
          `${pc.bold(text.execution)}  ${mark(execution.status === 'done')} ${execution.executor}: ${execution.detail}`,
        ]
      : []),
    ...(recovery
      ? [
          '',
          `${pc.bold(text.recovery)}  ${recovery.status}`,
          ...recovery.checks.map(({ ok, summary }) => `  ${mark(ok)} ${summary}`),
        ]
      : []),
    ...(lesson
      ? [
          '',
          `${pc.bold(text.lesson)}  ${[lesson.skill, lesson.workflow, lesson.knowledge, lesson.evalCase].filter(Boolean).join('\n  ')}`,
        ]
      : []),
  ];
}

const factLines = (facts: readonly Spoken<IncidentFact>[]): string[] =>
  facts.map(
    ({ at, type, data }) =>
      `  ${pc.dim(at.slice(11, 19))}  ${type.padEnd(20)} ${pc.dim(shortened(JSON.stringify(data)))}`,
  );

const MOST_SHOWN = 140;
const shortened = (text: string): string =>
  text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;

const coloured = (diff: string): string =>
  diff
    .split('\n')
    .map((line) =>
      /^\+(?!\+\+)/.test(line) ? pc.green(line) : /^-(?!--)/.test(line) ? pc.red(line) : pc.dim(line),
    )
    .join('\n');

const indented = (text: string, by = 2): string[] => text.split('\n').map((line) => ' '.repeat(by) + line);

export const stateColour = (state: Incident['state']) =>
  state === 'recovered' || state === 'resolved'
    ? pc.green
    : state === 'awaiting_approval' || state === 'needs_person'
      ? pc.yellow
      : state === 'closed'
        ? pc.dim
        : pc.cyan;
