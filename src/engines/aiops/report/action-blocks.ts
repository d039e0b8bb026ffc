import type { Spoken } from '#kit/text';
import type { IncidentFact, ProposedAction } from '#spec/data';
import { undoOf } from '#spec/data/operations';
import { RECOVERIES, RISK_NAMES } from '../names.ts';
import { showNumber } from '../rca/show-number.ts';
import type { Block, Line } from './block.ts';
import type { ReportInput } from './report-input.ts';
import { showDuration, showInstant, wordsOf } from './words.ts';

/** What was proposed, rehearsed, agreed to by whom, and done. */
export function actionBlocks(input: ReportInput): Block[] {
  const { incident, language } = input;
  const words = wordsOf(language);
  const { action, rehearsal } = incident;
  const heading: Block = { kind: 'heading', level: 2, text: words.action };
  if (!action) return [heading, { kind: 'text', text: words.noAction }, ...otherActions(input)];
  const { reason, dryRunOnly } = action;
  const rows: (readonly [string, Line | undefined])[] = [
    [words.operation, { code: action.operation }],
    [words.service, { code: action.service }],
    [words.params, paramsOf(action)],
    [words.risk, RISK_NAMES[action.risk][language]],
    [words.reason, reason],
    [words.evidence, action.evidence.join(' ')],
    [words.rules, action.rules.join(', ')],
    [words.undo, undoLine(action, words.byHand)],
    [words.dryRunOnly, dryRunOnly],
    ...approvalRows(input),
    ...executionRows(input),
  ];
  return [
    heading,
    {
      kind: 'table',
      head: [words.what, ''],
      rows: rows.flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, value]])),
    },
    ...(rehearsal
      ? [
          { kind: 'heading' as const, level: 3 as const, text: words.rehearsal },
          {
            kind: 'text' as const,
            text: [
              rehearsal.allowed ? words.allowed : `${words.refused}: ${rehearsal.why ?? ''}`,
              ' ',
              { code: rehearsal.preview },
            ],
          },
          ...(rehearsal.diff
            ? [{ kind: 'code' as const, text: rehearsal.diff, language: 'diff' as const }]
            : []),
        ]
      : []),
    ...otherActions(input),
  ];
}

function undoLine(action: Spoken<ProposedAction>, byHand: string): Line | undefined {
  const undo = undoOf(action);
  if (undo === 'nothing') return undefined;
  return undo === 'by_hand' ? byHand : [{ code: `${undo.operation} ${undo.service}` }, ` ${paramsOf(undo)}`];
}

const paramsOf = ({ params }: Readonly<Pick<ProposedAction, 'params'>>): string =>
  Object.entries(params)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ');

function approvalRows({ incident, facts, language }: ReportInput): [string, Line | undefined][] {
  const words = wordsOf(language);
  const about = facts.filter(
    (fact): fact is Extract<Spoken<IncidentFact>, { type: `approval.${'granted' | 'denied' | 'expired'}` }> =>
      (fact.type === 'approval.granted' ||
        fact.type === 'approval.denied' ||
        fact.type === 'approval.expired') &&
      fact.data.approval === incident.approval,
  );
  const last = about.at(-1);
  const status = {
    'approval.granted': words.granted,
    'approval.denied': words.denied,
    'approval.expired': words.expired,
  };
  const state = last ? status[last.type] : words.requested;
  const { checkpoint, action } = incident;
  const asks = [
    ...(action?.confirmTwice ? [words.confirmTwice] : []),
    ...(action?.separateApprover ? [words.separateApprover] : []),
  ];
  return [
    [
      words.approval,
      incident.approval ? [{ code: incident.approval }, ` ${[state, ...asks].join(', ')}`] : undefined,
    ],
    [
      words.approver,
      last && last.type !== 'approval.expired'
        ? `${last.data.by} (${last.data.channel}), ${showInstant(last.at)}`
        : undefined,
    ],
    [
      words.checkpoint,
      checkpoint
        ? [
            { code: checkpoint.id },
            ` ${showInstant(checkpoint.at)} `,
            { code: checkpoint.digest.slice(0, 16) },
          ]
        : undefined,
    ],
  ];
}

function executionRows({ incident, language }: ReportInput): [string, Line | undefined][] {
  const words = wordsOf(language);
  const { execution } = incident;
  if (!execution) return [];
  const { status, detail, startedAt, endedAt, reconciled } = execution;
  const took = `${showInstant(startedAt)}, ${showDuration(endedAt - startedAt, language)}`;
  return [
    [words.execution, `${status}: ${detail}${reconciled ? ` (${words.reconciled})` : ''}`],
    [words.time, took],
    [words.executor, { code: execution.executor }],
    [words.key, { code: execution.key }],
  ];
}

function otherActions({ incident, language }: ReportInput): Block[] {
  const words = wordsOf(language);
  const list = (title: string, actions: readonly Spoken<ProposedAction>[] | undefined): Block[] =>
    actions?.length
      ? [
          { kind: 'heading', level: 3, text: title },
          {
            kind: 'list',
            items: actions.map(
              (action): Line => [
                { code: `${action.operation} ${action.service}` },
                ` ${paramsOf(action)} – ${action.reason}`,
              ],
            ),
          },
        ]
      : [];
  return [...list(words.tried, incident.tried), ...list(words.alternatives, incident.alternatives)];
}

/** Before, during and after, check by check. */
export function recoveryBlocks({ incident, language }: ReportInput): Block[] {
  const words = wordsOf(language);
  const { recovery } = incident;
  const heading: Block = { kind: 'heading', level: 2, text: words.recovery };
  if (!recovery) return [heading, { kind: 'text', text: words.noRecovery }];
  const number = (value: number | undefined): string => (value === undefined ? '–' : showNumber(value));
  const rows = recovery.checks.map(
    ({ dimension, ok, usual, during, after, unit, summary, query }): Line[] => [
      RECOVERIES[dimension][language],
      { strong: ok === undefined ? words.unknown : ok ? words.yes : words.no },
      number(usual),
      number(during),
      number(after),
      unit,
      summary,
      { code: query },
    ],
  );
  return [
    heading,
    {
      kind: 'text',
      text: [
        { strong: RECOVERIES[recovery.status][language] },
        ` ${showInstant(recovery.window.start)} – ${showInstant(recovery.window.end)}`,
      ],
    },
    {
      kind: 'table',
      head: [
        words.check,
        words.ok,
        words.usual,
        words.during,
        words.after,
        words.unit,
        words.details,
        words.query,
      ],
      rows,
      numbers: [2, 3, 4],
    },
  ];
}
