import type { SessionApproval, ShownMessage } from '#spec/api';
import type { ReactNode } from 'react';
import { useFormats, useLanguage, useText } from '../../domains/language/language.tsx';
import type { Spent, Step } from '../../domains/sessions/arrange-turns.ts';
import { shownCost } from '../../domains/sessions/cost.ts';
import { Meter } from '../../ui/meter.tsx';
import { Facts } from '../../ui/page.tsx';
import { MessageParts } from './message-parts.tsx';
import { sessionText } from './text.ts';
import { TokenBar } from './token-bar.tsx';
import { CallArguments } from './call-arguments.tsx';

/** What a step did, by its kind: tokens and answer, arguments and result, what was asked, what was said. */
export function StepContent(props: {
  readonly session: string;
  readonly step: Step;
  readonly messages: ReadonlyMap<string, ShownMessage>;
}) {
  const { session, step, messages } = props;
  const { details: text } = useText(sessionText);
  const message = step.message === undefined ? undefined : messages.get(step.message);
  const [fact] = step.facts;
  return (
    <>
      {step.spent ? <Tokens spent={step.spent} /> : null}
      {step.error?.hint ? <Part title={text.hint}>{step.error.hint}</Part> : null}
      {step.approval ? <Asked approval={step.approval} /> : null}
      {fact?.type === 'tool.started' ? (
        <Part title={text.arguments}>
          <CallArguments {...argumentsOf(session, fact.data, messages)} />
        </Part>
      ) : null}
      {fact?.type === 'context.compacted' ? <Compacted {...fact.data} /> : null}
      {fact?.type === 'steering.applied' ? (
        <Part title={text.said}>
          <p className="said wrap">{fact.data.text}</p>
        </Part>
      ) : null}
      {fact?.type === 'plan.changed' ? (
        <Part title={text.plan}>
          <ol className="plan">
            {fact.data.todos.map((todo) => (
              <li key={todo.text}>
                <span className="muted">{todo.state}</span> {todo.text}
              </li>
            ))}
          </ol>
        </Part>
      ) : null}
      {message ? (
        <Part title={step.kind === 'tool' ? text.result : text.answer}>
          <MessageParts session={session} message={message} />
        </Part>
      ) : null}
    </>
  );
}

/** As the model wrote them, from its answer; a fact has the beginning of them alone. */
function argumentsOf(
  session: string,
  fact: { readonly call: string; readonly arguments: string },
  messages: ReadonlyMap<string, ShownMessage>,
) {
  for (const message of messages.values()) {
    const part = message.parts.findIndex((each) => each.type === 'tool_call' && each.id === fact.call);
    const found = message.parts[part];
    if (found?.type !== 'tool_call') continue;
    const rest =
      found.more === undefined ? undefined : { session, message: message.id, part, more: found.more };
    return { text: found.text, rest };
  }
  return { text: fact.arguments };
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="stack">
      <h3>{title}</h3>
      {children}
    </div>
  );
}

function Tokens({ spent: { usage, cost, context, window } }: { readonly spent: Spent }) {
  const { details: text } = useText(sessionText);
  const formats = useFormats();
  return (
    <Part title={text.tokens}>
      <TokenBar usage={usage} />
      <Facts
        items={[
          [text.output, formats.number(usage.output)],
          ...(usage.reasoning ? [[text.reasoning, formats.number(usage.reasoning)] as const] : []),
          ...(cost === undefined ? [] : [[text.cost, shownCost(cost)] as const]),
          [
            text.context,
            window > 0
              ? text.ofWindow(formats.percent(context / window), formats.number(window))
              : formats.number(context),
          ],
        ]}
      />
    </Part>
  );
}

function Compacted(props: {
  readonly how: 'pruned' | 'digested' | 'summarised';
  readonly before: number;
  readonly after: number;
  readonly archived: number;
}) {
  const { details: text, how, context } = useText(sessionText);
  const formats = useFormats();
  const bar = (tokens: number) => (
    <span className="meter-row">
      <Meter value={tokens} most={props.before} tone="info" />
      {formats.number(tokens)} {context.tokensUnit}
    </span>
  );
  return (
    <Facts
      items={[
        [text.how, how[props.how]],
        [text.before, bar(props.before)],
        [text.after, bar(props.after)],
        [text.archived, formats.number(props.archived)],
      ]}
    />
  );
}

function Asked({ approval }: { readonly approval: SessionApproval }) {
  const { details: text } = useText(sessionText);
  const { language } = useLanguage();
  const { decidedBy } = approval;
  return (
    <>
      <Part title={text.asked}>
        <pre className="code long-text" tabIndex={0}>
          {approval.shown}
        </pre>
      </Part>
      <Facts
        items={[
          [text.level, approval.level],
          [text.reasons, approval.reasons.map((reason) => reason[language]).join(' ')],
          ...(decidedBy ? [[text.by, `${decidedBy.user} · ${decidedBy.channel}`] as const] : []),
        ]}
      />
    </>
  );
}
