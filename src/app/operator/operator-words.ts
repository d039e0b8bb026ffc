import type { Language } from '#kit/language';

const EN = {
  supports: 'for',
  against: 'against',
  apart: '; ',
  kept: (where: string, text: string) => `Kept in ${where}: “${text}”`,
  notKept: (why: string) => `Not kept: ${why}.`,
  note: (why: string) =>
    `It is kept as a note, which the policy does not obey. ${why}\nAs a rule, say it with hours or without: \`never restart payment-service between 09:00 and 18:00\`. Notes: \`hermes memory list\`, taken back with \`hermes memory undo memory\`; rules: \`hermes memory rules\`.`,
  nothingKept: 'Nothing is remembered about this.',
  ran: (name: string, what: string) => `Ran the workflow \`${name}\`: ${what}`,
  again: (line: string) => `Run it again: ${line}`,
  notDone: (why: string) => `It could not be done: ${why}`,
  askService: 'Which service is it? Say it with the name, such as `payment-service is slow since 10:05`.',
  knownServices: (names: string) => `Known services: ${names}.`,
  runbook: (name: string, what: string) => `**Runbook \`${name}\`**: ${what}`,
  firstLook: 'First, read only (nothing is changed by it):',
  fillIn: (names: string) => `Fill in yourself: \`${names}\`.`,
  notHere: (programs: string) => `Not installed on this machine: ${programs}. Run it where they are.`,
  noProgram: (program: string) =>
    `\`${program}\` is not installed on this machine, so the command did not run. What comes nearest:`,
  nothingConnected:
    'No telemetry is connected, so I cannot see what happens there and name no cause: `how do I connect prometheus?` tells how.',
  keepAsIncident: (said: string) =>
    `To have it followed up as an incident: \`hermes incident create "${said}" --service NAME\`.`,
  whole: (name: string) => `The whole runbook: \`hermes skills view ${name}\`, in a chat \`/${name}\`.`,
  alsoRunbook: (name: string) => `The runbook that fits: \`hermes skills view ${name}\`.`,
  alsoWorkflow: (name: string) => `A workflow that looks by itself: \`hermes skill explain ${name}\`.`,
  twoFit: 'Several fit. Say which one:',
  workflow: (name: string, what: string) => `**Workflow \`${name}\`**: ${what}`,
  needs: 'It needs to know:',
  startIt: 'Start it with:',
  wouldDo: 'Nothing was run. What it would do:',
  explain: (name: string) => `With its arguments and levels: \`hermes skill explain ${name}\`.`,
  changes: 'It changes things, or may, so it does not start by itself. What it would do:',
  from: (place: string) => `From ${place}`,
  otherPlaces: 'See also:',
  model: 'A model would put this together for your case: `hermes model`.',
  unsure: 'I am not sure that this is what you mean:',
  mayMean: 'I am not sure what you mean. Perhaps one of these; say it so:',
  noIncidentOf: (service: string) => `No incident of ${service} is open.`,
  lookedNow: (service: string) => `Looked at the evidence about ${service} of the last 30 minutes:`,
  inconclusive: 'The evidence does not decide, so no cause is named.',
  concluded: (what: string, percent: number) => `Most likely: ${what} (${percent} %).`,
  connect: 'What could not be looked at, and how to connect it:',
  offerOpen: (service: string) =>
    `To have it followed up as an incident, say what is wrong: \`${service} 503 since 10:05, P2\`, or \`hermes incident create "…" --service ${service}\`.`,
  noApprovals: 'Nothing waits for an approval.',
  approvals: 'Waiting for an approval:',
  approveWith:
    'One by one: `hermes approvals list` shows what waits, `hermes approvals approve ID` agrees and `hermes approvals deny ID` refuses (an incident: `hermes incident approve ID`, `hermes incident reject ID`).',
  noSuchApproval: (id: string) =>
    `No request \`${id}\` waits for an answer; nothing was agreed to or carried out.`,
  decideByHand: (id: string) =>
    `\`${id}\` waits. It is not agreed to here: a person does so with \`hermes approvals approve ${id}\` at a terminal, in the console, or in the channel that asked.`,
  noBlanket:
    'I approve nothing for a person, neither one request nor all at once. Nothing is agreed to as a whole: each request is looked at and answered by a person.',
  noneSince: (since: string) => `There is no such incident since ${since}.`,
  lookedAt: (from: string, to: string) => `Looked at ${from} to ${to}:`,
  incidentsHead: '**Incidents**',
  changesHead: '**Changes**',
  approvalsHead: '**Waiting for an approval**',
  none: 'none.',
  waiting: (count: number) => `${count}: \`hermes approvals list\` shows them.`,
  digestWith: (days: number) =>
    `As a text to hand over: \`hermes incident digest --days ${days}\`. With the state of this machine: \`hermes skill run ops_daily_report\`.`,
  noPostMortem: (service?: string) =>
    `There is no incident${service ? ` of ${service}` : ''}, so there is nothing to write a post-mortem of. When there is one:`,
  postMortemOf: 'The newest incident:',
  postMortemWith: (id: string) =>
    `\`hermes incident export ${id} -o postmortem\` writes its post-mortem (\`postmortem.md\`, \`postmortem.html\`) with the evidence. All incidents: \`hermes incident list -a\`.`,
  otherIncidents: 'Others:',
  executionOff: (lacking: string) =>
    `Carrying out is off here: even an approved action would only be rehearsed. What is missing: ${lacking}. Also then every action waits for the approval of a person, which no setting waives. See docs/actions.md, “Switching execution on”.`,
  executionOn: 'Carrying out is on: what is approved is carried out and verified.',
  allowOperation: (operation: string) => `\`${operation}\` in \`incidents.operations\` of config.yaml`,
  connectExecutor: 'an executor under `executors` of backends.yaml (kubernetes, argocd or custom_http)',
  nothingToForget: (what: string) => `Nothing is remembered about “${what}”, so there is nothing to forget.`,
  wouldForget: (what: string) => `Remembered about “${what}” (nothing is removed yet):`,
  forgetWith:
    'Remove one by its id (`mem_…`): `hermes memory forget ID` (`hermes memory restore ID` brings it back, `--erase` leaves nothing). A line of a notebook (`[MEMORY.md]`): `hermes memory history memory` shows its edits, `hermes memory undo memory` takes the last one back. A rule: `hermes memory rules remove ID`.',
  searchWith:
    'What is known about you: `hermes memory user`, erased with `hermes memory user erase`. Search for other words: `hermes memory search WORDS`; everything: `hermes memory list`.',
  elsewhere: (host: string) =>
    `This is the machine that Hermes runs on; where ${host} is another one, ask there, or name it in \`backends.yaml\` (\`type: ssh\`, docs/sandboxes.md).`,
  orMeant: '— or did you mean this? —',
  needsMore: (what: string, example: string) => `${what}: say which one, such as \`${example}\`.`,
  noneOpen: 'No incident is open.',
  noIncidents: 'There is no such incident.',
  incidentHow:
    'One opens when an alert comes in (docs/webhooks.md), with `hermes incident create`, or when you say what is wrong with a service.',
  incidentMore:
    'One of them: `hermes incident show ID`. A summary of days: `hermes incident digest --days 7`.',
  noChangeSource: 'No source of changes is connected, so I cannot tell what changed.',
  changesSeen: (hours: number) => `Changes of the last ${hours} hours:`,
  noChanges: (hours: number) => `The connected sources know no change of the last ${hours} hours.`,
  serviceHead: (service: string) => `What is known about ${service}:`,
  dependencies: 'dependencies',
  owner: 'owner',
  rulesOf: 'rules',
  incidentsOf: 'incidents',
  unknownService: (service: string) =>
    `Nothing is known about ${service} yet. Write it into \`incidents.yaml\` (\`services:\` with owner and dependencies), or say it: \`remember: ${service} depends on …\`.`,
  noDirect: (what: string) =>
    `I do not ${what} on a word: an action comes from an incident with evidence, is rehearsed first, and waits for an approval.`,
  noYes: 'Whether it is safe now, evidence has to say: there is no plain yes.',
  openProposal: 'The open incident:',
  rulesHead: 'Rules that apply:',
  noRules: 'No rule of the house names it.',
  how: 'How: tell what is wrong, and the incident proposes what fits (docs/actions.md).',
  published: (name: string, id: string) =>
    `A draft of the skill \`${name}\` waits for you: \`hermes memory pending\` shows it, \`hermes memory approve ${id}\` keeps it.`,
  publishedFrom: (what: string) => `It is made from ${what}.`,
  nothingToPublish:
    'There is nothing to make a skill of yet: no incident has a concluded cause, and nothing was done in the last conversations that could be done again. Closed incidents become runbook skills by themselves (docs/incidents.md, “What is learned”). By hand: a file `~/.hermes/skills/ops/NAME/SKILL.md` with `name` and `description` in its head and the steps below it; `how do I write a skill?` shows one.',
  theIncident: (id: string) => `the incident ${id}`,
  theConversation: (title: string) => `the conversation “${title}”`,
  telemetry: 'No source of it is connected; how to connect one:',
} as const;

type Words = { readonly [K in keyof typeof EN]: (typeof EN)[K] extends string ? string : (typeof EN)[K] };

const ZH: Words = {
  supports: '支持',
  against: '反对',
  apart: ';',
  kept: (where, text) => `已记录到 ${where}:“${text}”`,
  notKept: (why) => `未保存:${why}。`,
  note: (why) =>
    `已作为笔记保存,策略不会据此执行。${why}\n要成为规则,请用钟点或不带日期来说:\`payment-service 9点到18点不准重启\`。笔记:\`hermes memory list\`,撤销:\`hermes memory undo memory\`;规则:\`hermes memory rules\`。`,
  nothingKept: '没有相关的记忆。',
  ran: (name, what) => `已运行工作流 \`${name}\`:${what}`,
  again: (line) => `再次运行:${line}`,
  notDone: (why) => `没有完成:${why}`,
  askService: '是哪个服务?请带上名字,例如 `payment-service 从 10:05 开始变慢`。',
  knownServices: (names) => `已知服务:${names}。`,
  runbook: (name, what) => `**应急手册 \`${name}\`**:${what}`,
  firstLook: '第一步,只读检查(不会改动任何东西):',
  fillIn: (names) => `请自行替换:\`${names}\`。`,
  notHere: (programs) => `本机没有安装:${programs}。请在有这些程序的机器上执行。`,
  noProgram: (program) => `本机没有安装 \`${program}\`,命令没有执行。最接近的是:`,
  nothingConnected: '没有接入监控数据,因此看不到现状,也不给出原因:问 `怎么接入 prometheus` 可知接法。',
  keepAsIncident: (said) => `要作为事故跟进:\`hermes incident create "${said}" --service 服务名\`。`,
  whole: (name) => `完整手册:\`hermes skills view ${name}\`,对话中输入 \`/${name}\`。`,
  alsoRunbook: (name) => `对应的应急手册:\`hermes skills view ${name}\`。`,
  alsoWorkflow: (name) => `可以自动检查的工作流:\`hermes skill explain ${name}\`。`,
  twoFit: '有几个都合适,请指明:',
  workflow: (name, what) => `**工作流 \`${name}\`**:${what}`,
  needs: '还需要知道:',
  startIt: '这样启动:',
  wouldDo: '没有运行。它会做的是:',
  explain: (name) => `参数与级别:\`hermes skill explain ${name}\`。`,
  changes: '它会或可能做出改动,因此不会自动开始。它将执行:',
  from: (place) => `出处:${place}`,
  otherPlaces: '另见:',
  model: '接入模型后可以结合你的情况展开:`hermes model`。',
  unsure: '不确定这是不是你想问的:',
  mayMean: '不确定你的意思。可能是其中之一,请这样说:',
  noIncidentOf: (service) => `${service} 没有未关闭的事故。`,
  lookedNow: (service) => `已查看 ${service} 最近 30 分钟的证据:`,
  inconclusive: '证据不足以定论,因此不给出原因。',
  concluded: (what, percent) => `最可能的原因:${what}(${percent} %)。`,
  connect: '没有看到的数据,以及接入方法:',
  offerOpen: (service) =>
    `如需作为事故跟进,直接说明故障:\`${service} 从 10:05 开始 503,P2\`,或执行 \`hermes incident create "…" --service ${service}\`。`,
  noApprovals: '没有等待审批的动作。',
  approvals: '等待审批:',
  approveWith:
    '逐个处理:`hermes approvals list` 列出等待的请求,`hermes approvals approve ID` 批准,`hermes approvals deny ID` 拒绝(事故:`hermes incident approve ID`、`hermes incident reject ID`)。',
  noSuchApproval: (id) => `没有编号为 \`${id}\` 的待批请求;没有批准也没有执行任何动作。`,
  decideByHand: (id) =>
    `\`${id}\` 正在等待。这里不能批准:请由人在终端执行 \`hermes approvals approve ${id}\`,或在控制台、发起请求的渠道中批准。`,
  noBlanket: '我不会代替人批准,单个不会,全部更不会:每个请求都要由人单独查看和答复。',
  noneSince: (since) => `自 ${since} 以来没有这样的事故。`,
  lookedAt: (from, to) => `查看的时段:${from} 至 ${to}`,
  incidentsHead: '**事故**',
  changesHead: '**变更**',
  approvalsHead: '**等待审批**',
  none: '没有。',
  waiting: (count) => `${count} 项,用 \`hermes approvals list\` 查看。`,
  digestWith: (days) =>
    `生成交接文本:\`hermes incident digest --days ${days} --language zh\`。连同本机状态:\`hermes skill run ops_daily_report\`。`,
  noPostMortem: (service) => `${service ? `${service} ` : ''}没有事故,因此没有可写的复盘。有事故之后:`,
  postMortemOf: '最近的事故:',
  postMortemWith: (id) =>
    `生成复盘:\`hermes incident export ${id} -o postmortem\` 会写出 \`postmortem.md\`、\`postmortem.html\` 和证据。全部事故:\`hermes incident list -a\`。`,
  otherIncidents: '其他:',
  executionOff: (lacking) =>
    `这里没有开启执行:即使批准也只会演练。还缺:${lacking}。开启之后每个动作仍需人工批准,任何设置都不能免去。见 docs/actions.md “Switching execution on”。`,
  executionOn: '执行已开启:批准后的动作会执行并验证。',
  allowOperation: (operation) => `config.yaml 的 \`incidents.operations\` 中的 \`${operation}\``,
  connectExecutor: 'backends.yaml 的 `executors` 下的执行器(kubernetes、argocd 或 custom_http)',
  nothingToForget: (what) => `没有关于“${what}”的记忆,无需删除。`,
  wouldForget: (what) => `关于“${what}”的记忆(尚未删除任何内容):`,
  forgetWith:
    '按编号(`mem_…`)删除:`hermes memory forget ID`(`hermes memory restore ID` 可恢复,`--erase` 彻底清除)。笔记中的一行(`[MEMORY.md]`):`hermes memory history memory` 查看修改,`hermes memory undo memory` 撤销最近一次。规则:`hermes memory rules remove ID`。',
  searchWith:
    '关于你本人的:`hermes memory user`,`hermes memory user erase` 清除。换个词搜索:`hermes memory search 关键词`;全部:`hermes memory list`。',
  elsewhere: (host) =>
    `下面是 Hermes 所在的机器;如果 ${host} 是另一台,请在那里查看,或写进 \`backends.yaml\`(\`type: ssh\`,docs/sandboxes.md)。`,
  orMeant: '— 或者你想问的是:—',
  needsMore: (what, example) => `${what}:请说明是哪一个,例如 \`${example}\`。`,
  noneOpen: '没有未关闭的事故。',
  noIncidents: '没有这样的事故。',
  incidentHow:
    '收到告警(见 docs/webhooks.md)、执行 `hermes incident create`,或直接说明某个服务的故障,都会建立事故。',
  incidentMore: '查看其中一个:`hermes incident show ID`。多日汇总:`hermes incident digest --days 7`。',
  noChangeSource: '没有接入变更来源,无法得知改了什么。',
  changesSeen: (hours) => `最近 ${hours} 小时的变更:`,
  noChanges: (hours) => `已接入的来源中,最近 ${hours} 小时没有变更。`,
  serviceHead: (service) => `关于 ${service} 已知:`,
  dependencies: '依赖',
  owner: '负责人',
  rulesOf: '规则',
  incidentsOf: '事故',
  unknownService: (service) =>
    `还没有 ${service} 的信息。可写入 \`incidents.yaml\`(\`services:\` 下的 owner 和 dependencies),或直接说:\`记住 ${service} 依赖 …\`。`,
  noDirect: (what) => `不会凭一句话就${what}:动作来自有证据的事故,先演练,再等审批。`,
  noYes: '现在是否安全要由证据说明,不能直接回答“可以”。',
  openProposal: '未关闭的事故:',
  rulesHead: '适用的规则:',
  noRules: '没有规则提到它。',
  how: '做法:说明故障,事故会提出合适的动作(docs/actions.md)。',
  published: (name, id) =>
    `技能 \`${name}\` 的草稿在等你确认:\`hermes memory pending\` 查看,\`hermes memory approve ${id}\` 保存。`,
  publishedFrom: (what) => `来源:${what}。`,
  nothingToPublish:
    '还没有可以保存成技能的内容:没有得出根因的事故,最近的对话也没有执行过可重复的操作。事故关闭后会自动沉淀为 runbook 技能(docs/incidents.md,“What is learned”)。手写:建文件 `~/.hermes/skills/ops/名称/SKILL.md`,开头写 `name` 和 `description`,下面写步骤;问 `怎么写技能` 有示例。',
  theIncident: (id) => `事故 ${id}`,
  theConversation: (title) => `对话“${title}”`,
  telemetry: '没有接入对应的数据来源,接入方法:',
};

const WORDS: Readonly<Record<Language, Words>> = { en: EN, zh: ZH };

export const operatorWords = (language: Language): Words => WORDS[language];
