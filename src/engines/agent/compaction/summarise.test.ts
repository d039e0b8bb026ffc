import { describe, expect, it } from 'vitest';
import { says, scriptedModel, textOf } from '#support/engines/agent/scripted-turn';
import { stored, turnOf } from '#support/engines/agent/stored-talk';
import { summariser } from './summarise.ts';

const messages = stored([...turnOf(1), ...turnOf(2)]);
const signal = new AbortController().signal;

describe('summariser', () => {
  it('asks the model for a text of the size that is wanted, with no tools', async () => {
    const model = scriptedModel([says(' Goal: find the leak \n')]);
    expect(await summariser(model, signal)(messages, 700)).toBe('Goal: find the leak');
    const [request] = model.requests;
    expect(request).toMatchObject({ tools: [], maxOutput: 700 });
    expect(textOf(request?.messages[0])).toContain('User: question 2');
    expect(request?.system[0]?.text).toMatch(/word for word/);
  });

  it('never asks for more than the model can write', async () => {
    const model = scriptedModel([says('ok')]);
    await summariser(model, signal)(messages, 50_000);
    expect(model.requests[0]?.maxOutput).toBe(1_000);
  });

  it.each([
    ['fails', { fail: 'model.overloaded' as const }],
    ['is cut', says('Goal: fi', { stop: 'length' })],
    ['says nothing', says('  ')],
  ])('leaves it to the digest when the model %s', async (_, step) => {
    expect(await summariser(scriptedModel([step]), signal)(messages, 700)).toBeUndefined();
  });

  it('leaves it to the digest when it is interrupted', async () => {
    const model = scriptedModel([says('half')]);
    expect(await summariser(model, AbortSignal.abort())(messages, 700)).toBeUndefined();
  });
});
