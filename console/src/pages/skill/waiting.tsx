import type { OpenQuestion, RunApproval, RunView } from '#spec/api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLanguage, useText } from '../../domains/language/language.tsx';
import { useMay, useSession } from '../../domains/session/session.tsx';
import { skillsApi } from '../../domains/skills/skills-api.ts';
import { skillWords } from '../../domains/skills/text.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Refused } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { skillText } from './text.ts';

/** What a run waits for: questions of its steps, and what the gate asks. A refusal comes first. */
export function Waiting({ run }: { readonly run: RunView }) {
  const { questions, approvals } = run.waiting;
  return (
    <>
      {questions.map((question) => (
        <Question key={question.id} run={run} question={question} />
      ))}
      {approvals.map((approval) => (
        <Approval key={approval.id} run={run} approval={approval} />
      ))}
    </>
  );
}

function Question({ run, question }: { readonly run: RunView; readonly question: OpenQuestion }) {
  const { one: text } = useText(skillText);
  const { user } = useSession();
  const isApprover = useMay('approver');
  const isOperator = useMay('operator');
  const client = useQueryClient();
  const answer = useMutation({
    mutationFn: (choice: string) => skillsApi.answer(run.id, question.id, choice),
    onSettled: () => client.invalidateQueries({ queryKey: ['skills'] }),
  });
  const may = isApprover || (isOperator && run.by.user === user);
  return (
    <div className="notice warn" role="status">
      <div className="stack">
        <strong>{text.waiting}</strong>
        <p className="wrap pre-line">{question.question}</p>
        <Until at={question.until} />
        {may ? (
          <div className="row">
            {question.choices.map((choice) => (
              <Button
                key={choice}
                busy={answer.isPending && answer.variables === choice}
                onClick={() => answer.mutate(choice)}
              >
                {choice}
              </Button>
            ))}
          </div>
        ) : null}
        <Refused error={answer.error} />
      </div>
    </div>
  );
}

function Approval({ run, approval }: { readonly run: RunView; readonly approval: RunApproval }) {
  const { one: text } = useText(skillText);
  const words = useText(skillWords);
  const { language } = useLanguage();
  const may = useMay('approver');
  const client = useQueryClient();
  const decide = useMutation({
    mutationFn: (granted: boolean) => skillsApi.decide(run.id, approval.id, granted),
    onSettled: () => client.invalidateQueries({ queryKey: ['skills'] }),
  });
  const levels: Readonly<Record<number, string>> = words.level;
  return (
    <div className="notice warn" role="status">
      <div className="stack">
        <span className="row">
          <strong>{text.waiting}</strong>
          <code>{approval.tool}</code>
          <Badge tone="warn">
            {text.level} {approval.level}: {levels[approval.level]}
          </Badge>
        </span>
        <pre className="code run-text" tabIndex={0} aria-label={approval.tool}>
          {approval.shown}
        </pre>
        <ul>
          {approval.reasons.map((reason) => (
            <li key={reason.en} className="wrap">
              {reason[language]}
            </li>
          ))}
        </ul>
        <Until at={approval.expiresAt} />
        {may ? (
          <div className="row">
            <Button busy={decide.isPending && !decide.variables} onClick={() => decide.mutate(false)}>
              {text.refuse}
            </Button>
            <Button busy={decide.isPending && decide.variables} onClick={() => decide.mutate(true)}>
              {text.approve}
            </Button>
          </div>
        ) : (
          <p className="muted">{approval.separate ? text.separate : text.onlyApprovers}</p>
        )}
        <Refused error={decide.error} />
      </div>
    </div>
  );
}

function Until({ at }: { readonly at: number }) {
  const { one: text } = useText(skillText);
  return (
    <span className="muted">
      {text.until} <Time at={at} ago />
    </span>
  );
}
