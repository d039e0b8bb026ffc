import type { ErrorRecord } from '#spec/data';
import type { Stage } from './stage.ts';

type Script = (stage: Stage) => Promise<ErrorRecord | undefined>;

const DOCUMENT = `# Findings

The **checkout** service is slow since \`14:02\`. See [the dashboard](https://grafana.example/d/checkout).

## Steps

1. roll back \`v2.4.1\`
2. watch the p99
   - it should fall
   - within five minutes

| service | p99 | 状态 |
|---|---:|---|
| checkout | 2,400 ms | 异常 🔥 |
| payment | 120 ms | 正常 ✅ |

\`\`\`sh
kubectl rollout undo deploy/checkout
kubectl get pods   # 等待就绪
\`\`\`

> Nothing else changed in the last hour.

全部完成 🎉
`;

const limited: ErrorRecord = {
  code: 'model.rate_limited',
  message: 'slow down',
  retry: { again: true },
  source: { provider: 'openai', model: 'gpt-5', status: 429 },
};

/** Turns to try the chat with, by the first word of the message. */
export const scripts: Readonly<Record<string, Script>> = {
  echo: async (stage) => {
    const lines = stage.said.split('\n');
    await stage.text(`heard ${lines.length} lines, first «${lines[0]}», last «${lines.at(-1)}»`);
    return undefined;
  },
  doc: async (stage) => {
    await stage.text(DOCUMENT, 60, 4);
    return undefined;
  },
  halves: async (stage) => {
    const middle = DOCUMENT.indexOf('## Steps');
    await stage.text(DOCUMENT.slice(0, middle));
    while (!stage.steering().length && (await stage.wait(20)));
    await stage.text(DOCUMENT.slice(middle));
    return undefined;
  },
  think: async (stage) => {
    for (let i = 1; i <= 20 && !stage.signal.aborted; i++) {
      stage.emit('thinking.delta', { text: `step ${i} of the reasoning\n` });
      await stage.wait(20);
    }
    await stage.text('The answer is 42.');
    return undefined;
  },
  tools: async (stage) => {
    stage.emit('budget.update', { used: 45, limit: 50 });
    await stage.text('Looking at three places.');
    await Promise.all([
      stage.tool('c1', 'read_file', { path: 'src/checkout.ts' }, 400, '120 lines'),
      stage.tool('c2', 'search_files', { pattern: 'timeout', path: 'src' }, 800, '7 matches'),
      stage.tool('c3', 'terminal', { command: 'kubectl get pods' }, 1_200, 'exit 1', true),
    ]);
    await stage.text('All three are done.');
    return undefined;
  },
  slow: async (stage) => {
    await stage.text('working on it');
    while (await stage.wait(50));
    return undefined;
  },
  steer: async (stage) => {
    await stage.text('waiting to be told');
    for (;;) {
      const said = stage.steering();
      for (const text of said) stage.emit('steering.applied', { text });
      if (said.length) await stage.text(`steered by ${said.join(', ')}`);
      if (said.length || !(await stage.wait(30))) return undefined;
    }
  },
  late: async (stage) => {
    await stage.text('about to end');
    await stage.wait(3_000);
    return undefined;
  },
  ask: async (stage) => {
    const answer = await stage.ask('Which cluster do you mean?', ['prod-eu', 'prod-us', 'staging']);
    await stage.text(`the answer was «${answer ?? 'none'}»`);
    return undefined;
  },
  retry: async (stage) => {
    stage.emit('attempt.failed', { error: limited, attempt: 1, next: { kind: 'retry', afterMs: 1_500 } });
    await stage.wait(1_500);
    await stage.text('better now');
    return undefined;
  },
  fail: async () => limited,
  evil: async (stage) => {
    await stage.text(
      'a\u001b]0;owned\u0007b \u001b[2Jc \u001b]52;c;aGk=\u0007d \u009b31me \u202egnp.exe\u202c f',
      3,
    );
    return undefined;
  },
  long: async (stage) => {
    const count = Number(stage.said.split(' ')[1] ?? 10_000);
    for (let i = 1; i <= count && !stage.signal.aborted; i += 20) {
      const lines = Array.from({ length: 20 }, (_, k) => `line ${i + k} of a very long answer\n`);
      stage.emit('text.delta', { text: lines.join('') });
      if (i % 400 === 1) await stage.wait(1);
    }
    return undefined;
  },
  table: async (stage) => {
    const rows = Array.from({ length: 60 }, (_, i) => `| ${i} | ${'x'.repeat(i)} |`);
    await stage.text(`Rows:\n\n| n | width |\n|---|---|\n${rows.join('\n')}\n\nend of table`, 120, 10);
    return undefined;
  },
  nested: async (stage) => {
    await stage.text(
      '1. first\n\n   ```sh\n   ls -l\n\n   pwd\n   ```\n2. second\n   > quoted\n\n---\n\n~~old~~ *new* <b>html</b> $HOME and $5\n',
    );
    return undefined;
  },
  code: async (stage) => {
    const lines = Array.from({ length: 400 }, (_, i) => `const value${i} = ${i};`);
    await stage.text(`\`\`\`ts\n${lines.join('\n')}\n\`\`\`\n\ndone`, 200, 1);
    return undefined;
  },
};
