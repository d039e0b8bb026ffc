import type {
  CauseCategory,
  Evidence,
  Execution,
  IncidentFacts,
  IncidentState,
  Operation,
  Recovery,
  RecoveryCheck,
  Risk,
  Severity,
} from '#spec/data';
import { operationNames } from '#spec/data/operations';
import type { Language } from '#kit/language';
import { defineText } from '../language/define-text.ts';
import type { ShownApproval } from '#spec/api';

type ApprovalState = ShownApproval['state'];

interface Vocabulary {
  readonly state: Readonly<Record<IncidentState, string>>;
  readonly severity: Readonly<Record<Severity, string>>;
  readonly category: Readonly<Record<CauseCategory, string>>;
  readonly operation: Readonly<Record<Operation, string>>;
  readonly risk: Readonly<Record<Risk, string>>;
  readonly evidence: Readonly<Record<Evidence['kind'], string>>;
  readonly execution: Readonly<Record<Execution['status'], string>>;
  readonly recovery: Readonly<Record<Recovery['status'], string>>;
  readonly dimension: Readonly<Record<RecoveryCheck['dimension'], string>>;
  readonly approval: Readonly<Record<ApprovalState, string>>;
  readonly fact: Readonly<Record<keyof IncidentFacts, string>>;
}

/** As the beginning of a line. */
const titles = (language: Language): Readonly<Record<Operation, string>> =>
  Object.fromEntries(
    Object.entries(operationNames(language)).map(([operation, name]) => [
      operation,
      name.charAt(0).toUpperCase() + name.slice(1),
    ]),
  ) as Record<Operation, string>;

/** The words of incidents: what the records say in one word each. */
export const incidentWords = defineText<Vocabulary>({
  en: {
    state: {
      investigating: 'Investigating',
      watching: 'Watching',
      awaiting_approval: 'Awaiting approval',
      executing: 'Executing',
      verifying: 'Verifying',
      needs_person: 'Needs a person',
      recovered: 'Recovered',
      resolved: 'Resolved',
      closed: 'Closed',
    },
    severity: { P1: 'P1, wakes people up', P2: 'P2, today', P3: 'P3, soon', P4: 'P4, can wait' },
    category: {
      deploy_regression: 'Deploy regression',
      connection_pool: 'Connection pool exhausted',
      dependency_timeout: 'Dependency times out',
      rate_limit: 'Rate limit',
      hot_key: 'Hot key',
      database_latency: 'Database latency',
      resource_exhaustion: 'Resource exhaustion',
      network_delay: 'Network delay',
      bad_config: 'Bad configuration',
      certificate: 'Certificate',
      disk: 'Disk',
      crash_loop: 'Crash loop',
      traffic_surge: 'Traffic surge',
      external: 'External cause',
      service_fault: 'Fault inside the service',
      none: 'No incident',
    },
    operation: titles('en'),
    risk: { read_only: 'Reads only', safe_write: 'Safe write', destructive: 'Destructive' },
    evidence: {
      metric: 'Metric',
      log: 'Log',
      trace: 'Trace',
      change: 'Change',
      topology: 'Topology',
      gap: 'Gap',
    },
    execution: { done: 'Done', refused: 'Refused', failed: 'Failed', unknown: 'Unknown' },
    recovery: { recovered: 'Recovered', not_recovered: 'Not recovered', uncertain: 'Uncertain' },
    dimension: {
      errors: 'Errors',
      latency: 'Latency',
      traffic: 'Traffic',
      error_logs: 'Error log lines',
      trace_errors: 'Failed spans',
      deploy_state: 'Deployed state',
      symptom: 'What the alert measures',
    },
    approval: {
      pending: 'Waiting',
      granted: 'Approved',
      denied: 'Rejected',
      expired: 'Expired',
      used: 'Approved, carried out',
      withdrawn: 'Withdrawn',
    },
    fact: {
      'gateway.received': 'Alert received',
      'alert.normalized': 'Alert read',
      'incident.created': 'Incident opened',
      'incident.updated': 'Incident updated',
      'incident.closed': 'Incident closed',
      'evidence.collected': 'Evidence collected',
      'rca.concluded': 'Cause found',
      'rca.inconclusive': 'Cause not certain',
      'rca.read': 'Second reader',
      'action.proposed': 'Action proposed',
      'action.rehearsed': 'Action rehearsed',
      'checkpoint.created': 'Checkpoint kept',
      'approval.requested': 'Approval requested',
      'approval.granted': 'Approved',
      'approval.denied': 'Rejected',
      'approval.expired': 'Approval expired',
      'approval.refused': 'Answer not accepted',
      'execution.rehearsed': 'Rehearsed again',
      'execution.refused': 'Execution refused',
      'execution.started': 'Execution started',
      'execution.finished': 'Execution finished',
      'recovery.verified': 'Recovery verified',
      'recovery.failed': 'Recovery not seen',
      'lesson.recorded': 'Lesson kept',
    },
  },
  zh: {
    state: {
      investigating: '排查中',
      watching: '观察中',
      awaiting_approval: '等待审批',
      executing: '执行中',
      verifying: '验证中',
      needs_person: '需要人工处理',
      recovered: '已恢复',
      resolved: '已消除',
      closed: '已关闭',
    },
    severity: { P1: 'P1，立即处理', P2: 'P2，今天处理', P3: 'P3，尽快处理', P4: 'P4，可以等待' },
    category: {
      deploy_regression: '发布引起的回归',
      connection_pool: '连接池耗尽',
      dependency_timeout: '依赖超时',
      rate_limit: '限流',
      hot_key: '热点键',
      database_latency: '数据库延迟',
      resource_exhaustion: '资源耗尽',
      network_delay: '网络延迟',
      bad_config: '配置错误',
      certificate: '证书',
      disk: '磁盘',
      crash_loop: '反复崩溃',
      traffic_surge: '流量激增',
      external: '外部原因',
      service_fault: '服务内部故障',
      none: '不是事故',
    },
    operation: titles('zh'),
    risk: { read_only: '只读', safe_write: '安全写入', destructive: '破坏性' },
    evidence: {
      metric: '指标',
      log: '日志',
      trace: '链路',
      change: '变更',
      topology: '拓扑',
      gap: '缺口',
    },
    execution: { done: '完成', refused: '被拒绝', failed: '失败', unknown: '未知' },
    recovery: { recovered: '已恢复', not_recovered: '未恢复', uncertain: '不确定' },
    dimension: {
      errors: '错误',
      latency: '延迟',
      traffic: '流量',
      error_logs: '错误日志',
      trace_errors: '失败的跨度',
      deploy_state: '部署状态',
      symptom: '告警所测的指标',
    },
    approval: {
      pending: '等待中',
      granted: '已批准',
      denied: '已拒绝',
      expired: '已过期',
      used: '已批准并执行',
      withdrawn: '已撤回',
    },
    fact: {
      'gateway.received': '收到告警',
      'alert.normalized': '告警已解析',
      'incident.created': '事故已创建',
      'incident.updated': '事故已更新',
      'incident.closed': '事故已关闭',
      'evidence.collected': '证据已采集',
      'rca.concluded': '找到根因',
      'rca.inconclusive': '根因未定',
      'rca.read': '模型复核',
      'action.proposed': '提出操作',
      'action.rehearsed': '操作已预演',
      'checkpoint.created': '检查点已保存',
      'approval.requested': '请求审批',
      'approval.granted': '已批准',
      'approval.denied': '已拒绝',
      'approval.expired': '审批已过期',
      'approval.refused': '答复未被接受',
      'execution.rehearsed': '再次预演',
      'execution.refused': '拒绝执行',
      'execution.started': '开始执行',
      'execution.finished': '执行结束',
      'recovery.verified': '恢复已验证',
      'recovery.failed': '未见恢复',
      'lesson.recorded': '经验已保存',
    },
  },
});
