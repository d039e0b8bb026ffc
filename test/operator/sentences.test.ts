import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Host, openHost } from '#host';
import { textOf, turn } from '../agent/workplace.ts';

let root: string;
let host: Host;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'hermes-sentences-'));
  await mkdir(join(root, 'home'), { recursive: true });
  await writeFile(
    join(root, 'home', 'incidents.yaml'),
    'services:\n  - { service: ledger, owner: money team, dependencies: [vault-db] }\n',
  );
  // What its second step does is known when the first has run.
  await mkdir(join(root, 'home', 'skills'));
  await writeFile(
    join(root, 'home', 'skills', 'zebra_look.yaml'),
    `skill:
  name: zebra_look
  version: "1.0"
  description: "Count the zebra stripes of the paddock."
  trigger: { keywords: ["zebra stripes"] }
  execution:
    steps:
      - { name: find, action: read_data, args: { path: zebra.json }, output_key: found }
      - { name: count, action: shell, args: { command: "\${found.value.command}" }, output_key: counted }
`,
  );
  await writeFile(join(root, 'zebra.json'), '{"command": "echo forty-two stripes"}');
  host = await openHost({
    env: { HERMES_HOME: join(root, 'home'), HOME: root, PATH: process.env.PATH },
    version: 'test',
  });
});
afterAll(async () => {
  await host.close();
  await rm(root, { recursive: true, force: true });
});

async function say(text: string): Promise<string> {
  const conversation = await host.conversation({ cwd: root, language: 'en', platform: 'cli' });
  return textOf(await turn(conversation, text));
}

/** A sentence, and what a useful answer to it holds. None of them stands in a set that measures this. */
const SENTENCES: readonly (readonly [string, ...RegExp[]])[] = [
  // Something is wrong.
  [
    'cart-service answers 500 since the release of 3.4.0, P1',
    /Opened incident `inc_/,
    /\[P1\]/,
    /PROMETHEUS_BASE_URL/,
  ],
  ['库存服务 大量 504,帮忙排查', /已建立事故/, /证据不足以定论/, /LOKI_BASE_URL/],
  ['ledger is timing out', /incident `inc_/, /does not decide/],
  ['why is search-api so slow?', /No incident of search-api is open/, /hermes incident create/],
  ['profile-service 为什么报错?', /没有未关闭的事故/, /PROMETHEUS_BASE_URL/],
  ['never scale down checkout-service between 18:00 and 23:00', /up and down alike/],
  ['can you reach db-2 on port 5432', /db-2 takes connections on port 5432/],
  [
    'close the incident from this morning, it was a false alarm',
    /hermes incident close ID/,
    /inc_|No incident is open/,
  ],
  ['can you run the backup check every night at 2?', /0 2 \* \* \* hermes skill run backup_check/],
  ['what is waiting for my sign-off', /Nothing waits for an approval/],
  [
    'do we have any rule against restarting things in the daytime?',
    /no rule of the house yet|checkout-service between 18:00/,
  ],
  ['what did we note down about the billing database', /Nothing is remembered/],
  ['ping me in 30 minutes to look at the queue again', /sleep 30m; echo "look at the queue again"/],
  ['半小时后提醒我看一下备份', /sleep 30m; echo "看一下备份"/],
  ['reload haproxy pls, config was changed', /do not act on a word/],
  ['周末生产环境不允许发布,记成规则', /策略不会据此执行/],
  ['everything is slow', /Which service is it\?/, /ledger/],
  ['PostgreSQL 出现很多锁等待', /database-locks/, /pg_blocking_pids/],
  ['postgres 慢查询很多', /database-slow-queries/, /pg_stat_activity/],
  ['pods of the worker get OOMKilled', /oom/i],
  ['consumer lag of kafka grows', /kafka-consumer-lag/, /```bash/],
  // What is stored.
  ['show all incidents', /inc_/],
  ['which incidents of ledger are open?', /ledger/],
  ['还有哪些动作等待审批?', /没有等待审批的动作/],
  ['who owns ledger and what does it depend on?', /money team/, /vault-db/],
  ['what was deployed recently? any recent changes?', /No source of changes is connected/],
  // Rules.
  [
    'remember: restarts of ledger need approval',
    /Understood as a rule/,
    /service: ledger/,
    /obeys it from now on/,
    /hermes memory rules remove mem_/,
  ],
  ['高峰期禁止重启 cart-service', /理解为一条团队规则/, /动作: 重启/, /peak_hours/],
  ['记住 ledger 周五必须谨慎回滚', /笔记/, /不是规则/],
  ['should we roll back ledger now?', /no plain yes/i, /waits for an approval/],
  ['restart cart-service', /on a word/, /approval/],
  ['never scale cart-service during office hours', /hours that it names are not understood/],
  ['不要在早上9点到下午6点重启 cart-service', /09:00–18:00/],
  ['bring cart-service back: roll back to 3.3.9', /on a word/, /Carrying out is off/, /incidents\.execute/],
  // Documents, spans, approvals and forgetting.
  ['draft the postmortem of our newest outage', /hermes incident export inc_/],
  ['准备一下值班交接', /查看的时段/, /hermes incident digest --days 1/],
  [
    'did I miss anything over the weekend? what happened?',
    /Looked at .* to /,
    /Changes/,
    /Waiting for an approval/,
  ],
  ['accept all of them', /Nothing is agreed to as a whole/, /hermes approvals approve ID/],
  ['把关于旧机房的记忆都删掉', /没有关于“旧机房”的记忆/, /hermes memory forget ID/],
  // Runbooks, by what is wrong.
  ['mysql: too many connections', /connection-pool-exhaustion/, /```bash/],
  ['some pods stay pending', /pods-pending/, /kubectl describe pod/],
  ['give me the runbook for bad gateway', /http-5xx-errors/, /kubectl logs/],
  ['延迟高有没有应急手册', /high-latency/, /```bash/],
  ['steps when redis refuses connections on port 6380', /service-unreachable/, /-p "?6380/],
  ['a worker node turned NotReady, what are the steps', /node-not-ready/, /kubectl describe node/],
  ['cpu 跑满的应急预案', /high-cpu/, /top -b/],
  ['memory only ever rises, which runbook', /memory-leak/, /kubectl top/],
  ['rabbitmq 消息越积越多,有预案吗', /queue-backlog/, /rabbitmqctl list_queues/],
  ['procedure for a replica that lags', /replication-lag/, /pg_stat_replication/],
  ['连接跟踪表满了在丢包,处理步骤', /network-packet-loss/, /nf_conntrack_count/],
  ['镜像仓库连不上导致拉取失败,手册', /image-pull-failure/, /kubectl describe pod/],
  ['hosts disagree about the time, runbook for ntp', /clock-skew/, /timedatectl/],
  ['the tls certificate of the shop has expired', /certificate-expired/, /openssl/],
  ['billing p99 climbed from 90ms to 4s ten minutes ago', /Opened incident/, /Service: billing/],
  // Workflows and documents.
  ['do a code review of my branch', /Git repository/, /hermes skill run code_review/],
  ['帮我检查 https://shop.example/ 证书到期', /cert_expiry|证书/],
  ['is the website up? health check please', /service_monitor|https?:\/\//],
  ['what do the errors in missing.log say?', /no file missing\.log/i],
  ['谁占用了 9091 端口', /9091/],
  ['how many zebra stripes are there?', /does not start by itself/, /hermes skill run zebra_look/],
  ['zebra_look', /zebra_look/, /^(?![\s\S]*does not start by itself)/],
  // How Hermes works.
  ['how do I add an approver?', /users\.yaml/, /docs\/server\.md/],
  ['怎么接入日志和链路数据?', /LOKI_BASE_URL|telemetry/, /docs\/evidence\.md/],
  ['how can I stop the background server?', /hermes stop/, /docs\/server\.md/],
  ['如何导出一份复盘?', /postmortem/, /docs\/incidents\.md/],
  ['can I use it without a language model?', /built-in operator/, /docs\/models\.md/],
  // Kept.
  ['note that the bastion is jump-7', /Kept in MEMORY\.md: “the bastion is jump-7”/],
  ['以后都用中文回复', /已记录到 USER\.md/],
  ['把刚才的处理保存成 runbook 技能', /技能/],
  // Traditional Chinese.
  ['昨天誰登入過這台伺服器', /登录/, /取自本机/],
  ['幫我看一下記憶體還剩多少', /内存：已用/],
  // Several wishes, several words.
  [
    'how much memory is free, then paste the last 5 lines of your own log',
    /Memory: /,
    /log/,
    /hermes logs -n/,
  ],
  ['先看负载,再把你的日志最后 3 行贴出来', /负载：/, /hermes logs -n/],
  ['what is a bundle and what is a taint', /\*\*Incident bundle\*\*/, /\*\*Taint\*\*/],
  ['canary 和 checkpoint 各是什么', /检查点/, /金丝雀|canary/i],
  // What a reading is about.
  ['how many zebrad processes are running', /zebrad: no process of that name runs/],
  ['有几个 zebrad 进程', /zebrad：没有这个名字的进程/],
  ['how full is the root partition', /^\/ lies on \//],
  ['how much memory is free on node-9?', /where node-9 is another one/],
  // A skill that is named, and not wanted.
  ["don't run memory_cleanup, what would it do", /Nothing was run/, /hermes skill explain memory_cleanup/],
  ['别跑 disk_pressure,它是干什么的', /没有运行/, /hermes skill run disk_pressure/],
  ['stock-api 上线 v4.2 后 5xx 涨到 9%,先别回滚,看看是不是发布的问题', /已建立事故/],
  // Something to keep, whatever it is about.
  ['for the record: the cron on host-4 renews certificates on the 1st of each month', /Kept in MEMORY\.md/],
  ["don't scale anything on sunday nights", /Kept in MEMORY\.md/, /names days/],
  ['what have you stored about me', /USER\.md/, /hermes memory user/],
  // A question about a thing is no wish for it.
  [
    'how do I make sure the one who asks for a restart is not the one who approves it',
    /gate\.separate_approver/,
  ],
  ['why can I not see the processes of the host when I run ps through you', /room of its own/],
  ['为什么沙箱里看不到 9090 端口', /单独的环境/],
  ['any restart of ledger has to be approved by a second engineer', /somebody else than who asked/],
  // A timer gets what does it.
  ['每天早上八点半发一份运维日报', /30 8 \* \* \* hermes skill run ops_daily_report/],
  ['tell me when the disk is over 90% full', /\*\/10 \* \* \* \* hermes/],
  ['remind me at 15:00 to look at the release', /0 15 \* \* \* echo "look at the release"/],
  ['which runbooks are there for dns?', /^What comes nearest:\n- `dns-failure`/],
  // A runbook only for what is named.
  [
    'edge-gateway answers 403 to all since the noon release',
    /Opened incident/,
    /Runbook `deploy-regression`/,
  ],
  ['wallet-service 宕机了,用户下不了单', /已建立事故/, /手册 `service-unreachable`/],
  ['kafka 的消息越堆越多,该用哪份手册', /kafka-consumer-lag/, /^(?![\s\S]*rabbitmqctl)/],
  ['stock-worker crashes with exit code 134', /Opened incident/, /Runbook `crash-loop`/],
  // What is asked is answered, and what is not surely meant does not lead.
  [
    'do you cluster? we would like five replicas of hermes',
    /^\*\*Can I run several instances/,
    /Not as a cluster/,
  ],
  ['500 和 504 差在哪', /HTTP 500/, /HTTP 504/],
  ['USER.md or MEMORY.md, whats the diff', /what you are like/],
  ['接着上次的聊,说到哪了', /上一次对话|没有更早的对话/],
  ['sign off that request on my behalf', /I approve nothing for a person/, /Nothing waits/],
  ['不接模型能跑哪些工作流', /个工作流/, /- `disk_pressure`/],
  ['someone posted our api token in a ticket, replace it how?', /RUNBOOK_API_TOKEN/],
  ['our vm is replaced next week, which folder do i copy so nothing gets lost', /hermes-backup\.tgz/],
  ['just set up hermes, no clue where to begin', /hermes doctor/, /^(?![\s\S]*Which service is it)/],
  ['别动 ledger-api 的副本,谁都不许改', /动作: 扩缩容/],
  ['note that the spare is db-9, and show me the load', /Load: /, /Kept in MEMORY\.md: “the spare is db-9”/],
  ['昨夜是誰重啟了機器', /上次启动是/],
  ['payment success rate fell to 80% at noon', /Which service is it/],
  ['有哪些规则', /要求: /],
];

describe('with no model', () => {
  it.each(SENTENCES.map(([text, ...holds]) => ({ text, holds })))(
    '$text',
    { timeout: 120_000 },
    async ({ text, holds }) => {
      const answer = await say(text);
      for (const words of holds) expect(answer).toMatch(words);
      expect(answer).not.toMatch(/That needs a model|回答这个问题需要模型/);
    },
  );

  it('tells what the machine has beside a command that saw the sandbox alone', {
    timeout: 60_000,
  }, async () => {
    const answer = await say('ss -tlnp | grep 5999');
    // Without a sandbox the command has seen the machine.
    expect(answer).toMatch(/Nothing listens on port 5999|ran on this machine|exit code/);
    expect(/ran in the \w+ sandbox/.test(answer)).toBe(/Nothing listens on port 5999/.test(answer));
  });

  it.each([
    'what should I cook tonight?',
    '写一首关于秋天的诗',
    'translate this to French',
    'who won the match?',
  ])('says plainly what needs a model: %s', { timeout: 60_000 }, async (text) => {
    expect(await say(text)).toMatch(/That needs a model|I am not sure|回答这个问题需要模型|不确定/);
  });
});

it('keeps what was done as a draft of a skill that waits for a person', { timeout: 120_000 }, async () => {
  const done = await host.conversation({ cwd: root, language: 'en', platform: 'cli' });
  await turn(done, 'look at the release folder\n!ls -la\n!wc -c /etc/hostname');
  await host.close();
  host = await openHost({
    env: { HERMES_HOME: join(root, 'home'), HOME: root, PATH: process.env.PATH },
    version: 'test',
  });
  const answer = await say('save this as a runbook skill');
  const [, name = '', id = ''] = /skill `([\w-]+)` waits .*approve (wr_\w+)/s.exec(answer) ?? [];
  const { staged } = await host.memory();
  const waiting = await staged.list(['person/cli/%', ...(await scopes())]);
  expect(waiting.find((write) => write.id === id)?.shown).toContain('ls -la');
  expect(await (await host.skills(root)).library.find(name)).toBeUndefined();
});

const scopes = async () => {
  const { userInfo } = await import('node:os');
  return [`person/cli/${encodeURIComponent(userInfo().username)}` as const];
};
