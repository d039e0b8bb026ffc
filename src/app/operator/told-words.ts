import type { Language } from '#kit/language';
import { cronLine, onceLine } from './cron-line.ts';

const EN = {
  greeting: 'Hello. Type `help` to see what can be asked; no model is needed for it.',
  welcome: 'You are welcome. I am here when the next one comes.',
  nextSteps:
    'Next: say the service and what users see (`checkout-service 503 since 10:05, P1`), which opens an incident and looks for its cause; `status` shows what is open and connected; `check this machine` looks closer.',
  safer:
    'Safer, in this order: look at what it holds and who uses it, take a backup and try to restore it, move it aside instead of removing it, and only then remove it, step by step.',
  refused:
    'No. I do not do that on a word, and nothing in the settings lifts it: destroying data, reading out secrets, and switching off approvals or the audit log are denied to everybody who is no person at this machine. What can be eased: standing permissions for single commands (`gate.allow` in config.yaml, `hermes approvals`), each listed and revocable. If it has to be done, do it yourself at the terminal. See docs/gate.md.',
  noSuchAction:
    'I do not act on a word: an action comes from an incident with evidence, is rehearsed first, and waits for an approval. Say what is wrong with which service (`payment-service 503 since 10:05`), or run a command yourself: `run systemctl status nginx` is judged by the gate and asked about. See docs/actions.md.',
  closing: (id: string) =>
    `Closing is a person's word: \`hermes incident close ${id} --why "false alarm"\`, or the button in the console; \`hermes incident look ${id}\` looks at it again. An alert that comes again opens it anew. See docs/incidents.md.`,
  schedule: (line: string) =>
    `Schedules and messages of my own are not built yet (\`cron.yaml\` is read by nothing and says so), so nothing was set up. Until then a timer of the system does it, in \`crontab -e\`:\n\n\`\`\`\n${line}\n\`\`\`\n\nCron mails what it prints; for alarms use an alert rule in Prometheus or Grafana whose webhook goes to \`hermes serve\` (docs/webhooks.md).`,
  once: (line: string) =>
    `Timers and messages of my own are not built yet, so nothing was set up. Until then a shell that stays open does it:\n\n\`\`\`sh\n${line}\n\`\`\``,
} as const;

type Words = { readonly [K in keyof typeof EN]: (typeof EN)[K] extends string ? string : (typeof EN)[K] };

const ZH: Words = {
  greeting: '你好。输入“帮助”查看可以问什么,不需要模型。',
  welcome: '不客气。下次有事随时叫我。',
  nextSteps:
    '下一步:说出服务和用户看到的现象(`checkout-service 从 10:05 开始 503,P1`),会建立事故并查找原因;`状态` 查看未关闭的事故和已接入的来源;`检查这台机器` 看得更细。',
  safer: '更稳妥的顺序:先看里面有什么、谁在用,做备份并试着恢复,先移开而不是删除,最后才逐步删除。',
  refused:
    '不行。这类事不会凭一句话去做,也没有任何设置能放开:破坏数据、读出密钥、关闭审批或审计,只要不是坐在这台机器前的人,一律拒绝。可以放宽的是:对单条命令的长期许可(config.yaml 的 `gate.allow`、`hermes approvals`),逐条列出、可撤回。确实要做,请自己在终端执行。见 docs/gate.md。',
  noSuchAction:
    '我不会凭一句话就动手:动作来自有证据的事故,先演练,再等审批。请说明哪个服务出了什么问题(`payment-service 从 10:05 开始 503`),或自己执行命令:`运行 systemctl status nginx` 会由闸门判断并询问。见 docs/actions.md。',
  closing: (id) =>
    `关闭事故由人决定:\`hermes incident close ${id} --why "误报"\`,或在控制台点击按钮;\`hermes incident look ${id}\` 重新排查。同样的告警再来会重新打开。见 docs/incidents.md。`,
  schedule: (line) =>
    `定时任务和主动发消息尚未实现(\`cron.yaml\` 目前不会被读取,并会提示),因此什么也没有设置。在此之前用系统定时器,写入 \`crontab -e\`:\n\n\`\`\`\n${line}\n\`\`\`\n\n输出由 cron 寄给你;告警请用 Prometheus 或 Grafana 的规则,通过 webhook 发到 \`hermes serve\`(docs/webhooks.md)。`,
  once: (line) =>
    `定时和主动提醒尚未实现,因此什么也没有设置。在此之前可以用一个不关闭的终端:\n\n\`\`\`sh\n${line}\n\`\`\``,
};

const WORDS: Readonly<Record<Language, Words>> = { en: EN, zh: ZH };

/** What can be done instead of a timer of our own. */
export function timerText(said: string, command: string | undefined, language: Language): string {
  const once = onceLine(said, command);
  return once === undefined ? WORDS[language].schedule(cronLine(said, command)) : WORDS[language].once(once);
}

export const toldWords = (language: Language): Words => WORDS[language];
