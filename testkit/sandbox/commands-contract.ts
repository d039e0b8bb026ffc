import { expect, it } from 'vitest';
import { run } from './run.ts';
import type { Stage } from './sandbox-contract.ts';

/** Running, streaming, input, environment and the working folder. */
export function describeCommands({ sandbox }: Stage): void {
  it('tells what was printed on both streams, and the code', async () => {
    const end = await run(sandbox(), 'echo out; echo err >&2; exit 3');
    expect(end).toMatchObject({ stdout: 'out\n', stderr: 'err\n', code: 3 });
    expect(end.stopped).toBeUndefined();
    expect(end.ms).toBeGreaterThan(0);
  });

  it('runs the command exactly as written', async () => {
    const command = `x='a  "b"'; cat <<'END'\n$x \`no\` \\n 'quoted'\nEND\necho "$x" "$#" $'\\u20ac' {1..3}; echo last`;
    const end = await run(sandbox(), command);
    expect(end).toMatchObject({
      stdout: `$x \`no\` \\n 'quoted'\na  "b" 0 € 1 2 3\nlast\n`,
      stderr: '',
      code: 0,
    });
  });

  it('streams what comes before the end, and takes input while it runs', async () => {
    const spec = { timeoutMs: 15_000, maxOutputBytes: 10_000, input: 'open' as const };
    const command = 'echo ready; read -r line; echo "got $line"; cat; echo closed';
    const running = await sandbox().start({ ...spec, command }, new AbortController().signal);
    let text = '';
    let told = false;
    for await (const chunk of running.output) {
      text += chunk.text;
      if (!told && text.includes('ready')) {
        told = true;
        await running.write('one\n');
        await running.write('two\n');
        await running.closeInput();
      }
    }
    expect(text).toBe('ready\ngot one\ntwo\nclosed\n');
    expect(await running.ended).toMatchObject({ code: 0 });
  });

  it('hands over an input of any size and closes it', async () => {
    const input = 'zeile ü\n'.repeat(50_000);
    expect((await run(sandbox(), 'wc -c', { input: { text: input } })).stdout.trim()).toBe(
      String(Buffer.byteLength(input)),
    );
    expect(await run(sandbox(), 'cat', { input: { text: '' } })).toMatchObject({ stdout: '', code: 0 });
    expect(await run(sandbox(), 'head -n 1', { input: { text: 'plain words\n' } })).toMatchObject({
      stdout: 'plain words\n',
    });
  });

  it('survives a command that does not read its input', async () => {
    expect(await run(sandbox(), 'exit 4', { input: { text: 'x'.repeat(400_000) } })).toMatchObject({
      code: 4,
    });
  });

  it('gives no input where none was asked for', async () => {
    expect(await run(sandbox(), 'cat; echo end')).toMatchObject({ stdout: 'end\n', code: 0 });
  });

  it('keeps characters whole whose bytes come apart', async () => {
    const end = await run(sandbox(), `printf '\\342\\202'; sleep 0.1; printf '\\254 ok'`);
    expect(end.stdout).toBe('€ ok');
  });

  it('adds to the environment, and shows nothing of the one that Hermes runs in', async () => {
    process.env.HERMES_CONTRACT_TOKEN = 'must-not-be-seen';
    try {
      const end = await run(sandbox(), 'env; echo "<$GREETING>"', { env: { GREETING: 'hello  there' } });
      expect(end.stdout).toContain('<hello  there>');
      expect(end.stdout).not.toContain('must-not-be-seen');
      expect(end.stdout).toMatch(/^PATH=/m);
    } finally {
      delete process.env.HERMES_CONTRACT_TOKEN;
    }
  });

  it('starts in the workspace, or where it is told, and tells where the shell stood at the end', async () => {
    const { workspace } = sandbox();
    const first = await run(sandbox(), `pwd; mkdir -p 'carried/a b'; cd carried; false`);
    expect(first).toMatchObject({ stdout: `${workspace}\n`, code: 1, cwd: `${workspace}/carried` });
    const second = await run(sandbox(), `pwd; cd 'a b'; exit 7`, { cwd: first.cwd });
    expect(second).toMatchObject({
      stdout: `${workspace}/carried\n`,
      code: 7,
      cwd: `${workspace}/carried/a b`,
    });
    const third = await run(sandbox(), `cd '${workspace}'; sh -c 'cd carried; kill -TERM $PPID'; sleep 20`, {
      cwd: second.cwd,
    });
    expect(third.code === 143 || third.signal === 'SIGTERM').toBe(true);
  });

  it('goes on from the workspace when the folder of the last command is gone', async () => {
    const { workspace } = sandbox();
    const end = await run(sandbox(), 'echo ran', { cwd: `${workspace}/never-made` });
    expect(end.code).not.toBe(0);
    expect(end).toMatchObject({ stdout: '', cwd: workspace });
    expect(end.stderr).toContain('never-made');
  });

  it('runs commands side by side without mixing them', async () => {
    const ends = await Promise.all(['a', 'b', 'c'].map((word) => run(sandbox(), `sleep 0.05; echo ${word}`)));
    expect(ends.map(({ stdout }) => stdout)).toEqual(['a\n', 'b\n', 'c\n']);
  });

  it('reports a command that cannot be parsed, and one that is not there', async () => {
    expect((await run(sandbox(), 'echo (')).code).not.toBe(0);
    expect(await run(sandbox(), 'no-such-program-here')).toMatchObject({ code: 127 });
  });
}
