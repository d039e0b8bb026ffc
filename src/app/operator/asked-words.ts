import type { Language } from '#kit/language';

const EN = {
  openIncidents: (count: number) => `**${count} open incident${count === 1 ? '' : 's'}:**`,
  noOpenIncident: 'No incident is open.',
  waits: (count: number) => `${count} waiting for an approval: \`hermes approvals list\`.`,
  nothingWaits: 'Nothing waits for an approval.',
  home: 'home',
  modelIs: (model: string) => `Model: ${model}.`,
  atHand: (keys: string, servers: string) =>
    `Keys found: ${keys || 'none'}. Model servers that answer on this machine: ${servers || 'none'}.`,
  noModel: 'Model: none connected; the built-in operator answers.',
  more: 'More: `hermes status` (the server), `hermes doctor` (the installation), `hermes incident list -a`. State of this machine: say `check this machine`.',
  reached: 'What Hermes reaches out to, asked just now:',
  missingKinds: 'Missing, and how to connect it (then `hermes status` shows whether it is reached):',
  noSource:
    'No source of telemetry is connected, so nothing is known about your services yet: say `how do I connect prometheus?`, or see docs/evidence.md.',
  noHistory:
    'Nothing has been approved, denied or carried out yet: the audit log is empty. `hermes audit` shows it, `hermes approvals list -a` shows every request with who decided it.',
  noneAbout: (service: string) => `The audit log knows no approval, denial or action about ${service}.`,
  history: 'The newest entries of the audit log:',
  historyMore:
    'All of it: `hermes audit -n 100`. Every request with who decided it: `hermes approvals list -a`. See docs/gate.md.',
  version: (version: string, node: string, platform: string) =>
    `Hermes ${version}, on Node ${node}, ${platform}.`,
  noSuchIncident: (id: string) =>
    id ? `There is no incident \`${id}\`.` : 'Say which one: `show incident INC-…`.',
  listIncidents: 'All incidents: `hermes incident list -a`.',
  oneMore: (id: string) =>
    `Evidence and timeline: \`hermes incident show ${id}\`. Agree or refuse: \`hermes incident approve ${id}\`, \`hermes incident reject ${id}\`.`,
  auditSound: (entries: number) =>
    `The audit log (\`ledger.db\` of the home; \`hermes audit\` shows it) is sound: ${entries} entries, each holds the hash of the one before (\`hermes audit verify\`). An anchor outside of the home proves more: \`audit.anchor\`. See docs/gate.md.`,
  auditBroken: (seq: number) =>
    `The audit log is broken at entry ${seq}: nothing is carried out until a person has looked (\`hermes audit verify\`, then \`hermes audit accept --reason …\`). See docs/gate.md.`,
  noServices:
    'No service is known yet. Services come from telemetry, from alerts, or from `services:` in `incidents.yaml` of the home (docs/incidents.md).',
  experiences: (count: number) => `Tasks that were kept as experience: ${count}.`,
  nothingLearned: 'No skill was written or repaired from experience yet, and no incident has left a lesson.',
  learnedMore: 'Details, and how to undo an edit: `hermes learn`. What is remembered: `hermes memory list`.',
  rememberedMore:
    'Everything: `hermes memory list`; notebooks: `hermes memory history memory`; forget one: `hermes memory forget ID`.',
  noSession: 'There is no earlier conversation: this is the first one here.',
  lastSession: (title: string, at: string) => `The last conversation: “${title}” (${at} UTC).`,
  sessionsMore:
    'All conversations: `hermes sessions list`; go on with the last one: `hermes --continue`; search: `hermes sessions search WORDS`.',
  workflows: (count: number) =>
    `**${count} workflows**, which run by themselves (\`hermes skill run NAME\`):`,
  runbooks: (count: number) => `**${count} runbooks**, to read and follow (\`hermes skills view NAME\`):`,
  skillsFor: 'What comes nearest:',
  workflow: 'workflow',
  runbook: 'runbook',
  skillsUse:
    'Read one: `hermes skills view NAME`; run a workflow: `hermes skill run NAME`; all of them: `hermes skills list`.',
  skillsMore: 'What each does: `hermes skills list`. Or say what you want, such as `check the disk`.',
  toolsReady: (count: number) => `**${count} tools work here:**`,
  toolsMore: 'All, with what the others lack: `hermes tools`.',
  configAt: (path: string) => `Configuration: ${path}`,
  allDefaults: 'Nothing differs from the defaults.',
  configMore:
    'All values: `hermes config list`. One: `hermes config get KEY`. Change: `hermes config set KEY VALUE`. Keys belong to `.env`.',
  modelMore: 'Connect or change it: `hermes model`; test it: `hermes model test`.',
  cost: 'With no model nothing is spent. With one, `/cost` in a chat shows tokens and money of the conversation, `hermes sessions list` of each, and the console of all (docs/models.md).',
  users: 'Who may use the server:',
  noUsers: 'No user is listed: only the token in `.env` of this home opens the server.',
  usersMore:
    'Add: `hermes users add NAME --role viewer|operator|approver|admin`; remove: `hermes users remove NAME`. See docs/server.md.',
  mcp: 'MCP servers:',
  noMcp: 'No MCP server is set up.',
  mcpMore: 'List them in `mcp_config.json` of the home; `hermes mcp` shows and checks them. See docs/mcp.md.',
  plugins: 'Plugins:',
  noPlugins: 'There is no plugin in `plugins/` of the home.',
  pluginsMore:
    '`hermes plugins` shows them with what each brings; `hermes plugins allow NAME` switches one on. See docs/plugins.md.',
  doctor: 'The whole check, with what to mend: `hermes doctor`.',
  logged: (count: number) => `The last ${count} lines of the log of Hermes:`,
  noLog: 'Hermes has written no log yet: it begins with `hermes serve`, an incident or a failure.',
  logs: (folder: string) =>
    `The logs lie in ${folder}; \`hermes logs -n 50\` shows more of them, \`hermes logs -f\` follows.`,
  identity:
    'I am Hermes: an agent for the people who run production systems. I take alerts, gather evidence, find root causes, propose actions that wait for your approval, and learn from each incident; I also answer questions, run workflows and keep notes. With no model connected the built-in operator answers by rules. Type `help` to see what can be asked.',
} as const;

type Words = { readonly [K in keyof typeof EN]: (typeof EN)[K] extends string ? string : (typeof EN)[K] };

const ZH: Words = {
  openIncidents: (count) => `**${count} 个未关闭的事故:**`,
  noOpenIncident: '没有未关闭的事故。',
  waits: (count) => `${count} 个请求待审批:\`hermes approvals list\`。`,
  nothingWaits: '没有待审批的请求。',
  home: '主目录',
  modelIs: (model) => `模型:${model}。`,
  atHand: (keys, servers) => `已找到的密钥:${keys || '无'}。本机可用的模型服务:${servers || '无'}。`,
  noModel: '模型:未接入,由内置操作员回答。',
  more: '更多:`hermes status`(服务)、`hermes doctor`(安装)、`hermes incident list -a`。本机状态:直接说“检查这台机器”。',
  reached: 'Hermes 要连接的对象,刚刚逐个检查:',
  missingKinds: '还缺少,以及接入方法(接好后用 `hermes status` 查看是否连通):',
  noSource:
    '没有接入任何遥测数据源,所以还不了解你的服务:可以问“怎么接入 prometheus?”,或见 docs/evidence.md。',
  noHistory:
    '还没有任何批准、拒绝或执行的记录:审计日志是空的。`hermes audit` 查看日志,`hermes approvals list -a` 列出所有请求及由谁决定。',
  noneAbout: (service) => `审计日志里没有关于 ${service} 的批准、拒绝或执行记录。`,
  history: '审计日志最新的条目:',
  historyMore: '全部:`hermes audit -n 100`。所有请求及由谁决定:`hermes approvals list -a`。见 docs/gate.md。',
  version: (version, node, platform) => `Hermes ${version},Node ${node},${platform}。`,
  noSuchIncident: (id) => (id ? `没有事故 \`${id}\`。` : '请说明是哪一个:`查看事故 INC-…`。'),
  listIncidents: '所有事故:`hermes incident list -a`。',
  oneMore: (id) =>
    `证据与时间线:\`hermes incident show ${id}\`。批准或拒绝:\`hermes incident approve ${id}\`、\`hermes incident reject ${id}\`。`,
  auditSound: (entries) =>
    `审计日志(主目录的 \`ledger.db\`,\`hermes audit\` 查看)完好:共 ${entries} 条,每条都含上一条的哈希(\`hermes audit verify\`)。在主目录之外设置锚点更可靠:\`audit.anchor\`。见 docs/gate.md。`,
  auditBroken: (seq) =>
    `审计日志在第 ${seq} 条处断裂:在有人查看之前不会执行任何动作(\`hermes audit verify\`,然后 \`hermes audit accept --reason …\`)。见 docs/gate.md。`,
  noServices:
    '还不知道任何服务。服务来自遥测、告警,或主目录 `incidents.yaml` 里的 `services:`(docs/incidents.md)。',
  experiences: (count) => `作为经验保留的任务:${count} 个。`,
  nothingLearned: '还没有从经验中写出或修复过技能,也没有事故留下教训。',
  learnedMore: '详情及如何撤销修改:`hermes learn`。记住的内容:`hermes memory list`。',
  rememberedMore:
    '全部:`hermes memory list`;笔记本:`hermes memory history memory`;忘记一条:`hermes memory forget ID`。',
  noSession: '没有更早的对话:这是这里的第一次。',
  lastSession: (title, at) => `上一次对话:“${title}”(${at} UTC)。`,
  sessionsMore:
    '所有对话:`hermes sessions list`;继续上一次:`hermes --continue`;搜索:`hermes sessions search 关键词`。',
  workflows: (count) => `**${count} 个工作流**,可直接运行(\`hermes skill run 名称\`):`,
  runbooks: (count) => `**${count} 份应急手册**,供查阅(\`hermes skills view 名称\`):`,
  skillsFor: '最接近的有:',
  workflow: '工作流',
  runbook: '应急手册',
  skillsUse: '查看:`hermes skills view 名称`;运行工作流:`hermes skill run 名称`;全部:`hermes skills list`。',
  skillsMore: '各自的用途:`hermes skills list`。也可以直接说要做什么,例如“检查磁盘”。',
  toolsReady: (count) => `**这里可用的工具有 ${count} 个:**`,
  toolsMore: '全部工具及其余缺少什么:`hermes tools`。',
  configAt: (path) => `配置文件:${path}`,
  allDefaults: '没有与默认值不同的设置。',
  configMore:
    '全部:`hermes config list`。单项:`hermes config get 键`。修改:`hermes config set 键 值`。密钥写在 `.env`。',
  modelMore: '接入或更换:`hermes model`;测试:`hermes model test`。',
  cost: '没有接入模型就没有花费。接入后,对话中的 `/cost` 显示本次的 token 和费用,`hermes sessions list` 显示每次对话的,控制台显示全部(docs/models.md)。',
  users: '可以使用服务的用户:',
  noUsers: '没有列出任何用户:只有主目录 `.env` 里的令牌可以访问服务。',
  usersMore:
    '添加:`hermes users add 名字 --role viewer|operator|approver|admin`;删除:`hermes users remove 名字`。见 docs/server.md。',
  mcp: 'MCP 服务:',
  noMcp: '没有配置 MCP 服务。',
  mcpMore: '写在主目录的 `mcp_config.json`;`hermes mcp` 查看并检查。见 docs/mcp.md。',
  plugins: '插件:',
  noPlugins: '主目录的 `plugins/` 里没有插件。',
  pluginsMore:
    '`hermes plugins` 列出插件及其提供的内容;`hermes plugins allow 名称` 启用。见 docs/plugins.md。',
  doctor: '完整检查及修复方法:`hermes doctor`。',
  logged: (count) => `Hermes 日志的最后 ${count} 行:`,
  noLog: 'Hermes 还没有写过日志:运行 `hermes serve`、有事故或出错时才会写。',
  logs: (folder) => `日志在 ${folder};\`hermes logs -n 50\` 显示更多,\`hermes logs -f\` 持续查看。`,
  identity:
    '我是 Hermes:为运行生产系统的人服务的智能体。我接收告警、收集证据、查找根因,提出需要你审批的动作,并从每次事故中学习;也能回答问题、运行工作流、记录笔记。没有接入模型时,由内置操作员按规则回答。输入“帮助”查看可以问什么。',
};

const WORDS: Readonly<Record<Language, Words>> = { en: EN, zh: ZH };

export const askedWords = (language: Language): Words => WORDS[language];
