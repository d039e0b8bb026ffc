import type { ShownMessage } from '#spec/api';
import { useMemo, useState } from 'react';
import { useText } from '../../domains/language/language.tsx';
import type { Turn } from '../../domains/sessions/arrange-turns.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { useMoveKeys } from '../../ui/use-list-keys.ts';
import { Legend } from './legend.tsx';
import { StepDetails } from './step-details.tsx';
import { sessionText } from './text.ts';
import { TurnCard } from './turn-card.tsx';

const MOST_TURNS = 40;

interface Chosen {
  readonly turn: string;
  readonly step: string;
}

/** How the agent went about each message: every turn as a waterfall, and what is chosen in it in full. */
export function TurnsView(props: {
  readonly session: string;
  readonly turns: readonly Turn[];
  readonly messages: readonly ShownMessage[];
}) {
  const { session, turns, messages } = props;
  const { turns: text } = useText(sessionText);
  const newest = turns.toReversed();
  const [most, setMost] = useState(MOST_TURNS);
  const [toggled, setToggled] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [chosen, choose] = useState<Chosen>();
  const byId = useMemo(() => new Map(messages.map((message) => [message.id, message])), [messages]);
  const first = newest[0]?.key;
  const isOpen = (key: string) => toggled.get(key) ?? key === first;
  const shown = newest.slice(0, most);
  const longest = Math.max(1, ...shown.map(({ start, end }) => end - start));
  const reachable = shown
    .filter(({ key }) => isOpen(key))
    .flatMap(({ key, steps }) => steps.map((step) => ({ turn: key, step: step.key })));
  useStepKeys(reachable, chosen, choose);
  const turn = turns.find(({ key }) => key === chosen?.turn);
  const step = turn?.steps.find(({ key }) => key === chosen?.step);
  if (!turns.length) return <Empty title={text.none}>{text.noneWhy}</Empty>;
  return (
    <div className="debugger">
      <Section title={text.title} count={turns.filter(({ number }) => number > 0).length}>
        <Legend />
        <ol className="turns">
          {shown.map((each) => (
            <TurnCard
              key={each.key}
              turn={each}
              longest={longest}
              said={each.message === undefined ? undefined : byId.get(each.message)}
              open={isOpen(each.key)}
              onToggle={() => setToggled((before) => new Map(before).set(each.key, !isOpen(each.key)))}
              chosen={chosen?.turn === each.key ? chosen.step : undefined}
              onChoose={(key) => choose({ turn: each.key, step: key })}
            />
          ))}
        </ol>
        {newest.length > most ? (
          <Button small look="plain" onClick={() => setMost(most + MOST_TURNS)}>
            {text.more(newest.length - most)}
          </Button>
        ) : null}
      </Section>
      <StepDetails
        session={session}
        turn={turn}
        step={step}
        messages={byId}
        onClose={() => choose(undefined)}
      />
    </div>
  );
}

function useStepKeys(
  reachable: readonly Chosen[],
  chosen: Chosen | undefined,
  choose: (next: Chosen) => void,
): void {
  useMoveKeys((by) => {
    const at = reachable.findIndex(({ turn, step }) => turn === chosen?.turn && step === chosen.step);
    const next = reachable[at < 0 ? 0 : Math.max(0, Math.min(reachable.length - 1, at + by))];
    if (!next) return;
    choose(next);
    document.getElementById(`step-${next.turn}-${next.step}`)?.scrollIntoView({ block: 'nearest' });
  });
}
