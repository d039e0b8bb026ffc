import type { McpServer } from '#spec/api';
import { defineText } from '../../domains/language/define-text.ts';

interface McpText {
  readonly title: string;
  readonly states: Readonly<Record<McpServer['state'], string>>;
  readonly reconnect: string;
  readonly reconnecting: string;
  readonly reach: string;
  readonly variables: string;
  readonly headers: string;
  readonly auth: string;
  readonly since: string;
  readonly restarts: string;
  readonly answers: string;
  readonly measured: string;
  readonly notMeasured: string;
  readonly revision: string;
  readonly has: string;
  readonly tools: (count: number) => string;
  readonly resources: (count: number) => string;
  readonly prompts: (count: number) => string;
  readonly someResources: string;
  readonly somePrompts: string;
  readonly learned: string;
  readonly unknown: string;
  readonly unknownWhy: string;
  readonly error: string;
  readonly output: string;
  readonly tool: string;
  readonly level: string;
  readonly levels: readonly [string, string, string, string];
  readonly what: string;
  readonly schema: string;
  readonly confirm: string;
  readonly refused: string;
  readonly changed: string;
  readonly changedWhy: (names: string) => string;
  readonly hides: string;
  readonly none: string;
  readonly noneWhy: string;
  readonly addTitle: string;
  readonly add: string;
  readonly afterwards: string;
  readonly problem: string;
  readonly servedTitle: string;
  readonly servedWhat: string;
  readonly scope: string;
  readonly access: string;
  readonly reads: string;
  readonly writes: string;
  readonly overPipes: string;
  readonly overHttp: string;
  readonly tokenMissing: string;
  readonly usual: string;
}

export const mcpText = defineText<McpText>({
  en: {
    title: 'MCP servers',
    states: {
      idle: 'Idle',
      starting: 'Starting',
      ready: 'Connected',
      failed: 'Failed',
      restarting: 'Restarting',
      off: 'Switched off',
    },
    reconnect: 'Reconnect',
    reconnecting: 'Connecting…',
    reach: 'Reached by',
    variables: 'Variables',
    headers: 'Headers',
    auth: 'Sign-in',
    since: 'Since',
    restarts: 'Restarts',
    answers: 'Answers in',
    measured: 'measured',
    notMeasured: 'not measured yet: reconnect to find out',
    revision: 'Protocol',
    has: 'Has',
    tools: (count) => `${count} tools`,
    resources: (count) => `${count} resources`,
    prompts: (count) => `${count} prompts`,
    someResources: 'resources',
    somePrompts: 'prompts',
    learned: 'Tools learned',
    unknown: 'Its tools are not known yet',
    unknownWhy: 'A server is started when it is first needed. Reconnect to ask it now.',
    error: 'Last error',
    output: 'The end of what it wrote',
    tool: 'Tool',
    level: 'Level',
    levels: ['0 reads', '1 adds', '2 changes', '3 asks a person'],
    what: 'What it does, in its own words',
    schema: 'Arguments',
    confirm: 'Asks each time',
    refused: 'Not offered',
    changed: 'Changed',
    changedWhy: (names) => `These describe themselves differently than when they were accepted: ${names}`,
    hides: 'Hidden characters',
    none: 'No MCP server is configured',
    noneWhy: 'mcp_config.json of the home lists the servers whose tools Hermes may use.',
    addTitle: 'Adding a server',
    add: 'Put it into mcp_config.json of the home. What stands in ${…} is read from .env.',
    afterwards: 'Then restart the server, and look at it:',
    problem: 'mcp_config.json cannot be read',
    servedTitle: 'What Hermes serves to others',
    servedWhat: 'Editors and other agents can be clients of this home.',
    scope: 'Scope',
    access: 'Access',
    reads: 'reads',
    writes: 'decides',
    overPipes: 'Over pipes, for a client that starts it:',
    overHttp: 'Over HTTP on this machine:',
    tokenMissing: 'HERMES_MCP_TOKEN is not set: over HTTP nobody could be let in.',
    usual: 'given unless said otherwise',
  },
  zh: {
    title: 'MCP 服务器',
    states: {
      idle: '空闲',
      starting: '启动中',
      ready: '已连接',
      failed: '失败',
      restarting: '重启中',
      off: '已停用',
    },
    reconnect: '重新连接',
    reconnecting: '连接中…',
    reach: '连接方式',
    variables: '环境变量',
    headers: '请求头',
    auth: '登录方式',
    since: '自',
    restarts: '重启次数',
    answers: '响应时间',
    measured: '测于',
    notMeasured: '尚未测量：重新连接即可得知',
    revision: '协议版本',
    has: '提供',
    tools: (count) => `${count} 个工具`,
    resources: (count) => `${count} 个资源`,
    prompts: (count) => `${count} 个提示`,
    someResources: '资源',
    somePrompts: '提示',
    learned: '工具获知于',
    unknown: '尚不知道它的工具',
    unknownWhy: '服务器在首次需要时才启动。重新连接可立即询问。',
    error: '最近的错误',
    output: '它最后的输出',
    tool: '工具',
    level: '级别',
    levels: ['0 读取', '1 新增', '2 变更', '3 需人工确认'],
    what: '用途（服务器自述）',
    schema: '参数',
    confirm: '每次询问',
    refused: '未提供',
    changed: '有变化',
    changedWhy: (names) => `这些工具的自述与接受时不同：${names}`,
    hides: '含不可见字符',
    none: '没有配置 MCP 服务器',
    noneWhy: '目录中的 mcp_config.json 列出 Hermes 可以使用的服务器。',
    addTitle: '添加服务器',
    add: '写入目录中的 mcp_config.json。${…} 中的内容从 .env 读取。',
    afterwards: '然后重启服务，并查看：',
    problem: '无法读取 mcp_config.json',
    servedTitle: 'Hermes 对外提供的内容',
    servedWhat: '编辑器和其他智能体可以作为客户端连接。',
    scope: '权限范围',
    access: '访问',
    reads: '只读',
    writes: '可决定',
    overPipes: '通过管道，由客户端启动：',
    overHttp: '通过本机 HTTP：',
    tokenMissing: '未设置 HERMES_MCP_TOKEN：无法通过 HTTP 连接。',
    usual: '默认授予',
  },
});
