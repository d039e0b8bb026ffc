import type { Language } from '#kit/language';
import type { LogEvent } from '#spec/data';

/** What each kind of line is called. */
const EVENTS: Readonly<Record<LogEvent, Readonly<Record<Language, string>>>> = {
  'server.started': { en: 'server started', zh: '服务已启动' },
  'server.stopped': { en: 'server stopped', zh: '服务已停止' },
  'server.failed': { en: 'server did not start', zh: '服务启动失败' },
  'request.served': { en: 'request', zh: '请求' },
  'request.failed': { en: 'request failed', zh: '请求失败' },
  'process.warned': { en: 'warning of Node', zh: 'Node 警告' },
  'process.crashed': { en: 'process crashed', zh: '进程崩溃' },
  'command.failed': { en: 'command failed', zh: '命令失败' },
  'reach.turned': { en: 'reach', zh: '连通性变化' },
  'config.unread': { en: 'configuration that nothing reads', zh: '未被读取的配置' },
  'secrets.open': { en: 'secrets are open to others', zh: '密钥文件可被他人读取' },
  'home.failing': { en: 'the home cannot be written', zh: '主目录不可写' },
  'home.healed': { en: 'the home can be written again', zh: '主目录恢复可写' },
  'message.kept': { en: 'message of a channel kept', zh: '已保存渠道消息' },
  'alerts.taken': { en: 'alert', zh: '告警' },
  'stage.ended': { en: 'stage ended', zh: '阶段完成' },
  'stage.failed': { en: 'stage failed', zh: '阶段失败' },
  'flow.failed': { en: 'flow failed', zh: '流程失败' },
  'hook.failed': { en: 'hook failed', zh: '钩子失败' },
  'audit.failed': { en: 'audit log', zh: '审计日志异常' },
  'tracing.failed': { en: 'traces are not sent', zh: '链路追踪异常' },
  'mcp.told': { en: 'MCP server', zh: 'MCP 服务' },
  'sandbox.failed': { en: 'a step of a sandbox failed', zh: '沙箱操作失败' },
  'browser.failed': { en: 'a step of the browser failed', zh: '浏览器操作失败' },
  'part.failed': { en: 'left out', zh: '已跳过' },
  'gateway.received': { en: 'delivery received', zh: '收到投递' },
  'alert.normalized': { en: 'alert', zh: '告警' },
  'incident.created': { en: 'incident created', zh: '事故已创建' },
  'incident.updated': { en: 'incident updated', zh: '事故已更新' },
  'incident.closed': { en: 'incident closed', zh: '事故已关闭' },
  'evidence.collected': { en: 'evidence collected', zh: '证据已收集' },
  'rca.concluded': { en: 'root cause found', zh: '根因已定位' },
  'rca.inconclusive': { en: 'no root cause', zh: '根因未定' },
  'rca.read': { en: 'second reader', zh: '模型复核' },
  'action.proposed': { en: 'action proposed', zh: '已提出处置' },
  'action.rehearsed': { en: 'action rehearsed', zh: '处置已演练' },
  'checkpoint.created': { en: 'checkpoint created', zh: '检查点已创建' },
  'approval.requested': { en: 'approval requested', zh: '已请求审批' },
  'approval.granted': { en: 'approval granted', zh: '审批通过' },
  'approval.denied': { en: 'approval denied', zh: '审批拒绝' },
  'approval.expired': { en: 'approval expired', zh: '审批过期' },
  'approval.refused': { en: 'answer refused', zh: '答复无效' },
  'execution.rehearsed': { en: 'rehearsed again', zh: '执行前再次演练' },
  'execution.refused': { en: 'execution refused', zh: '拒绝执行' },
  'execution.started': { en: 'execution started', zh: '开始执行' },
  'execution.finished': { en: 'execution finished', zh: '执行结束' },
  'recovery.verified': { en: 'recovery verified', zh: '恢复已验证' },
  'recovery.failed': { en: 'no recovery', zh: '未恢复' },
  'lesson.recorded': { en: 'lesson recorded', zh: '经验已记录' },
  'turn.started': { en: 'turn started', zh: '回合开始' },
  'tool.ended': { en: 'tool', zh: '工具' },
  'usage.recorded': { en: 'model answered', zh: '模型应答' },
  'context.compacted': { en: 'conversation shortened', zh: '对话已压缩' },
  'turn.ended': { en: 'turn ended', zh: '回合结束' },
};

const titles: Readonly<Record<string, Readonly<Record<Language, string>>>> = EVENTS;

const en = {
  tail: 'only the last lines, 100 unless said otherwise; all of them with --incident or --session',
  follow: 'go on as lines come',
  json: 'as JSON',
  level: 'only lines that matter at least so much: debug, info, warn, error',
  incident: 'only the story of this incident',
  session: 'only what happened in this session',
  noLog: (folder: string) => `There is no log yet in ${folder}.`,
  none: 'No line of the log fits.',
  /** An event that a newer version wrote has only its name. */
  event: (name: string): string => titles[name]?.en ?? name,
};

export type LogText = typeof en;

const zh: LogText = {
  tail: '只显示最后若干行,默认 100;与 --incident 或 --session 同用时显示全部',
  follow: '持续输出',
  json: '以 JSON 输出',
  level: '只显示不低于该级别的行:debug、info、warn、error',
  incident: '只显示该事故的经过',
  session: '只显示该会话的记录',
  noLog: (folder) => `${folder} 中还没有日志。`,
  none: '没有符合条件的日志。',
  event: (name) => titles[name]?.zh ?? name,
};

export const logText: Readonly<Record<Language, LogText>> = { en, zh };
