import { Command, type Option } from 'commander';
import { describe, expect, it } from 'vitest';
import type { CliContext } from './command.ts';
import { commands } from './commands.gen.ts';
import { texts } from './text/index.ts';

const context = { language: 'en', text: texts.en, env: {} } as unknown as CliContext;
const NUMERIC = /[<[](?:number|port|count|lines|days|seconds|hours|minutes)[\]>]/;

/** Every option that takes a number, of every command and its subcommands. */
async function numericOptions(): Promise<[string, Option][]> {
  const program = new Command();
  for (const [name, load] of Object.entries(commands))
    (await load()).build(program.command(name), () => Promise.resolve(), context);
  const of = (command: Command, path: string): [string, Option][] => [
    ...command.options
      .filter(({ flags }) => NUMERIC.test(flags))
      .map((option): [string, Option] => [`${path} ${option.flags}`, option]),
    ...command.commands.flatMap((each) => of(each, `${path} ${each.name()}`.trim())),
  ];
  return of(program, '');
}

describe('options that take a number', () => {
  it('refuse everything else, all of them', async () => {
    const options = await numericOptions();
    expect(options.length).toBeGreaterThan(10);
    for (const [name, option] of options)
      for (const given of ['abc', '', '-1', '1.5', '1e3', '10x', '99999999'])
        expect(() => option.parseArg?.(given, undefined), `${name} '${given}'`).toThrow(/whole number/);
    for (const [name, option] of options) expect(option.parseArg?.('7', undefined), name).toBe(7);
  });
});
