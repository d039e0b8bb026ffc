import { z } from 'zod';
import { type Field, fieldOf } from './field.ts';
import { fieldDocs } from './field-docs.ts';
import { agent } from './groups/agent.ts';
import { audit } from './groups/audit.ts';
import { cli } from './groups/cli.ts';
import { compression } from './groups/compression.ts';
import { gate } from './groups/gate.ts';
import { incidents } from './groups/incidents.ts';
import { learning } from './groups/learning.ts';
import { llm } from './groups/llm.ts';
import { memory } from './groups/memory.ts';
import { plugins } from './groups/plugins.ts';
import { prices } from './groups/prices.ts';
import { providers } from './groups/providers.ts';
import { server } from './groups/server.ts';
import { skills } from './groups/skills.ts';
import { tools } from './groups/tools.ts';
import { logs } from './groups/logs.ts';
import { tracing } from './groups/tracing.ts';
import { web } from './groups/web.ts';

/** All of config.yaml. A new group is one file in `groups/` and one entry here. */
export const ConfigSchema = z.strictObject({
  language: z
    .enum(['auto', 'en', 'zh'])
    .default('auto')
    .register(fieldDocs, { en: 'Language Hermes speaks to you in', zh: '界面语言' }),
  cli: cli.prefault({}).register(fieldDocs, { en: 'The terminal', zh: '终端' }),
  llm: llm.prefault({}).register(fieldDocs, { en: 'The model', zh: '模型' }),
  agent: agent.prefault({}).register(fieldDocs, { en: 'The agent', zh: '智能体' }),
  compression: compression.prefault({}).register(fieldDocs, { en: 'Long conversations', zh: '上下文压缩' }),
  gate: gate.prefault({}).register(fieldDocs, { en: 'Who may do what', zh: '权限' }),
  audit: audit.prefault({}).register(fieldDocs, { en: 'The audit log', zh: '审计日志' }),
  tools: tools.prefault({}).register(fieldDocs, { en: 'Tools', zh: '工具' }),
  web: web.prefault({}).register(fieldDocs, { en: 'The network', zh: '网络' }),
  memory: memory.prefault({}).register(fieldDocs, { en: 'Memory', zh: '记忆' }),
  skills: skills.prefault({}).register(fieldDocs, { en: 'Skills', zh: '技能' }),
  learning: learning.prefault({}).register(fieldDocs, { en: 'Learning', zh: '学习' }),
  incidents: incidents.prefault({}).register(fieldDocs, { en: 'Incidents', zh: '事故' }),
  server: server.prefault({}).register(fieldDocs, { en: 'The server', zh: '服务端' }),
  logs: logs.prefault({}).register(fieldDocs, { en: 'Log', zh: '日志' }),
  tracing: tracing.prefault({}).register(fieldDocs, { en: 'Traces', zh: '链路追踪' }),
  plugins: plugins.prefault({}).register(fieldDocs, { en: 'Plugins', zh: '插件' }),
  providers: providers
    .default({})
    .register(fieldDocs, { en: 'Providers of your own, by name', zh: '自定义服务商' }),
  prices: prices.default({}).register(fieldDocs, {
    en: 'Prices by model, in US dollars per million tokens',
    zh: '模型价格(美元 / 百万 token)',
  }),
});

export type Config = z.infer<typeof ConfigSchema>;

/** Where a walk over the schema begins. */
export const ROOT: Field = fieldOf(ConfigSchema);
