import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MEMORY_TAG } from '#kit/memory-fence';
import { says, scriptedTurn, textOf } from '#support/engines/agent/scripted-turn';

const SECRET = 'the vault is at 12 Elm Street';
const fenced = `Sure. <${MEMORY_TAG}>${SECRET}</${MEMORY_TAG}> It is done.`;

/** Everything that a person or a reader of events gets to see. */
async function shownOf(text: string, deltas: readonly string[]) {
  const turn = scriptedTurn([says(text, { deltas })]);
  await turn.run();
  const visible = turn.shown.map(({ type, data }) =>
    type === 'text.delta' ? (data as { text: string }).text : '',
  );
  return {
    text: visible.join(''),
    everything: JSON.stringify([turn.shown, turn.drafts, turn.messages]),
    kept: textOf(turn.messages.at(-1)),
  };
}

describe('the memory fence', () => {
  it('never shows, wherever the text is split', async () => {
    for (let i = 0; i <= fenced.length; i++) {
      const { text, everything, kept } = await shownOf(fenced, [fenced.slice(0, i), fenced.slice(i)]);
      expect(text).toBe('Sure.  It is done.');
      expect(kept).toBe(text);
      expect(everything).not.toMatch(/Elm|memory-context/);
    }
  });

  it('never shows, whatever stands around it and however it comes', async () => {
    const around = fc.string({ unit: fc.constantFrom('<', '>', '/', 'm', 'memory', '-', 'é', '🐟', ' ') });
    const cuts = fc.array(fc.nat({ max: 120 }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(around, around, cuts, async (before, after, at) => {
        const text = `${before}<${MEMORY_TAG}>${SECRET}</${MEMORY_TAG}>${after}`;
        const edges = [
          0,
          ...at.map((cut) => Math.min(cut, text.length)).toSorted((a, b) => a - b),
          text.length,
        ];
        const deltas = edges.slice(1).map((edge, i) => text.slice(edges[i], edge));
        const { text: shown, everything } = await shownOf(text, deltas);
        expect(everything).not.toContain('Elm');
        if (shown.trim()) expect(shown).toBe(before + after);
      }),
      { numRuns: 200 },
    );
  });

  it('does not show in what is thought or in how a call ended', async () => {
    const pieces = [`I recall <${MEMORY_TAG}>${SECRET.slice(0, 9)}`, `${SECRET.slice(9)}</${MEMORY_TAG}>.`];
    const turn = scriptedTurn([
      {
        parts: [
          ...pieces.map((text) => ({ type: 'thinking', text }) as const),
          { type: 'text', text: fenced },
        ],
      },
    ]);
    await turn.run();
    expect(JSON.stringify(turn.shown)).not.toMatch(/Elm|vault|memory-context/);
    expect(turn.shown.filter(({ type }) => type === 'thinking.delta').map(({ data }) => data)).toEqual([
      { text: 'I recall ' },
      { text: '.' },
    ]);
  });

  it('gives back what was thought as the vendor wrote it', async () => {
    const thought = {
      type: 'thinking',
      text: `<${MEMORY_TAG}>x</${MEMORY_TAG}>`,
      replay: { signature: 's' },
    } as const;
    const turn = scriptedTurn([{ parts: [thought, { type: 'text', text: 'done' }] }]);
    await turn.run();
    expect(turn.messages.at(-1)?.content[0]).toEqual(thought);
  });
});
