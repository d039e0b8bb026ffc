import { describe, expect, it } from 'vitest';
import { runProgram } from './run-program.ts';

const run = (script: string, more: object = {}, signal = new AbortController().signal) =>
  runProgram(
    {
      program: process.execPath,
      args: ['-e', script, '$(id)'],
      env: { ONLY: 'this' },
      timeoutMs: 10_000,
      maxBytes: 10_000,
      ...more,
    },
    signal,
  );

describe('runProgram', () => {
  it('passes arguments as they are, and no environment but its own', async () => {
    const end = await run(
      'console.log(process.argv[1], Object.keys(process.env).join()); console.error("e"); process.exit(3)',
    );
    expect(end).toEqual({ code: 3, stdout: '$(id) ONLY\n', stderr: 'e\n' });
  });

  it('ends a program that takes too long, with what it started', async () => {
    const script =
      'require("child_process").spawn(process.execPath, ["-e", "setInterval(()=>{},1e3)"], { stdio: "inherit" }); console.log("on"); setInterval(()=>{},1e3)';
    expect(await run(script, { timeoutMs: 700 })).toMatchObject({ code: null, stopped: 'time' });
  });

  it('ends a program that prints too much', async () => {
    const end = await run('for(;;) process.stdout.write("x".repeat(1000))', { maxBytes: 5_000 });
    expect(end).toMatchObject({ stopped: 'output' });
    expect(end.stdout.length).toBe(5_000);
  });

  it('ends a program when it is interrupted, and starts none after that', async () => {
    const controller = new AbortController();
    const running = run('setInterval(()=>{},1e3)', {}, controller.signal);
    controller.abort();
    expect(await running).toMatchObject({ stopped: 'interrupted' });
    expect(await run('1', {}, controller.signal)).toMatchObject({ stopped: 'interrupted' });
  });

  it('says that there is no such program', async () => {
    expect(await run('', { program: '/nowhere/kubectl' })).toMatchObject({ code: null, stopped: 'start' });
  });
});
