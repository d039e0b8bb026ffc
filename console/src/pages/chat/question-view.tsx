import type { ChatAnswer, ChatQuestion } from '#spec/api';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { chatApi } from '../../domains/chat/chat-api.ts';
import { useLanguage, useText } from '../../domains/language/language.tsx';
import { useMay } from '../../domains/session/session.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Markdown } from '../../ui/markdown/markdown.tsx';
import { Refused } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { chatText } from './text.ts';

interface QuestionProps {
  readonly question: ChatQuestion;
  readonly answer: (answer: ChatAnswer) => void;
  readonly busy: boolean;
}

/** A question of a tool or of the gate, with its choices. */
export function QuestionView(props: { readonly question: ChatQuestion; readonly session: string }) {
  const { question, session } = props;
  const text = useText(chatText);
  const { language } = useLanguage();
  const answering = useMutation({
    mutationFn: (answer: ChatAnswer) => chatApi.answer(session, language, question.id, answer),
  });
  const Content = question.approval ? Approval : Plain;
  return (
    <section className="chat-question" aria-label={text.question}>
      <Content question={question} answer={answering.mutate} busy={answering.isPending} />
      <div className="muted">
        {text.until} <Time at={question.until} />
        {question.approval ? ` ${text.countsAsNo}` : ''}
      </div>
      <Refused error={answering.error} />
    </section>
  );
}

/** Exactly what would run, why somebody has to agree, and the refusal first. */
function Approval({ question: { approval, choices }, answer, busy }: QuestionProps) {
  const text = useText(chatText);
  const { language } = useLanguage();
  const isApprover = useMay('approver');
  if (!approval) return null;
  const mayAgree = isApprover && !approval.separate;
  return (
    <>
      <div className="row">
        <h2>{text.mayItDo(approval.tool)}</h2>
        <Badge tone={approval.level >= 3 ? 'warn' : 'quiet'}>{text.level(approval.level)}</Badge>
      </div>
      <pre className="code" tabIndex={0}>
        {approval.shown}
      </pre>
      {approval.reasons.length ? (
        <ul className="chat-reasons" aria-label={text.why}>
          {approval.reasons.map((reason) => (
            <li key={reason.en}>
              <Markdown text={reason[language]} />
            </li>
          ))}
        </ul>
      ) : null}
      {mayAgree ? null : (
        <p className="muted">
          {approval.separate ? text.needsOther : `${text.needsApprover} ${text.elsewhere}`}{' '}
          <code>hermes approvals approve {approval.id}</code>
        </p>
      )}
      <div className="row">
        {choices.map((choice, index) => (
          <Button
            key={choice}
            look={index === 0 ? 'primary' : undefined}
            disabled={busy || (index > 0 && !mayAgree)}
            onClick={() => answer({ choice: index })}
          >
            {choice}
          </Button>
        ))}
      </div>
    </>
  );
}

function Plain({ question: { text: question, choices }, answer, busy }: QuestionProps) {
  const text = useText(chatText);
  const [own, setOwn] = useState('');
  return (
    <>
      <h2 className="chat-hidden">{text.question}</h2>
      <Markdown text={question} />
      {choices.length ? (
        <div className="row">
          {choices.map((choice, index) => (
            <Button key={choice} disabled={busy} onClick={() => answer({ choice: index })}>
              {choice}
            </Button>
          ))}
        </div>
      ) : null}
      <form
        className="row"
        onSubmit={(event) => {
          event.preventDefault();
          if (own.trim()) answer({ text: own.trim() });
        }}
      >
        <input
          className="input chat-own-answer"
          aria-label={text.ownAnswer}
          placeholder={text.ownAnswer}
          value={own}
          onChange={(event) => setOwn(event.target.value)}
        />
        <Button type="submit" disabled={busy || !own.trim()}>
          {text.answer}
        </Button>
        <Button look="plain" disabled={busy} onClick={() => answer({ none: true })}>
          {text.noAnswer}
        </Button>
      </form>
    </>
  );
}
