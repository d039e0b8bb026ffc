import { describe, expect, it } from 'vitest';
import { readingLine } from '#kit/reading-words';
import { type MachineReading, PLAIN_READINGS } from '#spec/data';
import type { Deed } from '#spec/ports';
import { memoryLedger } from '#testkit/gate';
import { answering, BOX, NEVER, NO, requestFor, sampleTool, stage } from '#support/engines/gate/gate-stage';

const DISKS: MachineReading = { read: 'disks', paths: [] };
const HERE = { ...BOX, where: 'in the bubblewrap sandbox', machine: 'on this machine' };
const saying = (command: NonNullable<Deed['command']>) =>
  requestFor(sampleTool('disk_usage', 0, { command }), {}, { place: () => HERE });

describe('a reading of the machine', () => {
  it('is let through as what it is, and who is asked reads that it is taken outside of the sandbox', async () => {
    // The judge of this stage would ask about `df`.
    const { gate } = stage(memoryLedger());
    const asked = answering(NO);
    const request = saying({ text: readingLine(DISKS), reading: DISKS });
    expect(await gate.permit(request, asked, NEVER)).toMatchObject({ allowed: true });
    expect(asked.asked).toEqual([]);
    const strict = stage(memoryLedger(), { tools: { disk_usage: 'ask' } });
    await strict.gate.permit(request, asked, NEVER);
    expect(asked.asked).toMatchObject([
      { action: { level: 0, place: { isolation: 'none', where: 'on this machine' } } },
    ]);
  });

  it('is let through in each of its kinds that take no word of a call', async () => {
    const { gate } = stage(memoryLedger());
    for (const read of PLAIN_READINGS) {
      const request = saying({ text: readingLine({ read }), reading: { read } });
      expect(await gate.permit(request, answering(NO), NEVER), read).toMatchObject({ allowed: true });
    }
  });

  it.each([
    { text: 'rm -rf /', reading: DISKS },
    { text: `${readingLine(DISKS)}; rm -rf /`, reading: DISKS },
    { text: 'df -P -k --x', reading: { read: 'disks', paths: ['--x'] } as MachineReading },
    { text: 'nft flush ruleset', reading: { read: 'packet_filter' } as MachineReading },
    { text: 'ps -C a,-A', reading: { read: 'named_processes', names: ['a,-A'] } as MachineReading },
    { text: 'docker rm x', reading: { read: 'containers', engine: 'docker' } as MachineReading },
    { text: 'anything', reading: { read: 'anything' } as unknown as MachineReading },
  ])('is a command like any other when it is not word for word of the list: $text', async (command) => {
    const { gate } = stage(memoryLedger());
    const asked = answering(NO);
    expect(await gate.permit(saying(command), asked, NEVER)).toMatchObject({ allowed: false });
    expect(asked.asked).toMatchObject([{ action: { place: { isolation: 'process' } } }]);
  });

  it('is denied where the backend denies it', async () => {
    const { gate } = stage(memoryLedger());
    const denied: MachineReading = { read: 'disks', paths: ['/deny'] };
    const request = saying({ text: readingLine(denied), reading: denied });
    expect(await gate.permit(request, answering(NO), NEVER)).toMatchObject({ allowed: false });
  });
});

describe('an approval', () => {
  it.each([
    [{ ...HERE }, "in /w in the bubblewrap sandbox (backend 'box'), not on the machine itself"],
    [
      { ...BOX, isolation: 'remote' as const, where: 'on ssh host web-1' },
      "in /w on ssh host web-1 (backend 'box')",
    ],
    [
      { ...BOX, isolation: 'none' as const, where: 'on this machine' },
      "in /w on this machine (backend 'box')",
    ],
  ])('names the place where it would really run', async (place, line) => {
    const { gate } = stage(memoryLedger());
    const asked = answering(NO);
    const tool = sampleTool('terminal', 0, { command: { text: 'systemctl restart nginx' } });
    await gate.permit(requestFor(tool, {}, { place: () => place }), asked, NEVER);
    expect(asked.asked[0]?.action.shown).toBe(`systemctl restart nginx\n${line}`);
  });
});
