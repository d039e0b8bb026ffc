import type { Language } from '#kit/language';
import { catalogue, type Text } from '#kit/text';
import {
  CAUSE_CATEGORIES,
  type CauseCategory,
  INCIDENT_STATES,
  type IncidentState,
  type Recovery,
  RECOVERY_DIMENSIONS,
  type RecoveryCheck,
  type Risk,
} from '#spec/data';

const spaced = <Name extends string>(names: readonly Name[]): Record<Name, string> =>
  Object.fromEntries(names.map((name) => [name, name.replaceAll('_', ' ')])) as Record<Name, string>;

/** Names of ours, as words. Operations keep their names: people type them. */
export const CATEGORIES = catalogue<Record<CauseCategory, string>>({
  en: spaced(CAUSE_CATEGORIES),
  zh: {
    deploy_regression: '发布回归',
    connection_pool: '连接池',
    dependency_timeout: '依赖超时',
    rate_limit: '限流',
    hot_key: '热点键',
    database_latency: '数据库延迟',
    resource_exhaustion: '资源耗尽',
    network_delay: '网络延迟',
    bad_config: '错误配置',
    certificate: '证书',
    disk: '磁盘',
    crash_loop: '循环崩溃',
    traffic_surge: '流量激增',
    external: '外部原因',
    service_fault: '服务故障',
    none: '无',
  },
});

/** The kind of a cause within a sentence of a record: English readers know it by its name. */
export const namedCause = (category: CauseCategory): Text => ({ ...CATEGORIES[category], en: category });

/** The kind of a cause, for one reader. */
export const categoryWord = (category: CauseCategory, language: Language): string =>
  CATEGORIES[category][language];

export const STATES = catalogue<Record<IncidentState, string>>({
  en: spaced(INCIDENT_STATES),
  zh: {
    investigating: '调查中',
    watching: '观察中',
    awaiting_approval: '等待审批',
    executing: '执行中',
    verifying: '验证中',
    needs_person: '需要人工',
    recovered: '已恢复',
    resolved: '已解除',
    closed: '已关闭',
  },
});

export const RISK_NAMES = catalogue<Record<Risk, string>>({
  en: { read_only: 'read_only', safe_write: 'safe_write', destructive: 'destructive' },
  zh: {
    read_only: '只读 (read_only)',
    safe_write: '安全写入 (safe_write)',
    destructive: '高风险 (destructive)',
  },
});

export const RECOVERIES = catalogue<Record<Recovery['status'] | RecoveryCheck['dimension'], string>>({
  en: spaced(['recovered', 'not_recovered', 'uncertain', ...RECOVERY_DIMENSIONS]),
  zh: {
    recovered: '已恢复',
    not_recovered: '未恢复',
    uncertain: '不确定',
    symptom: '告警症状',
    errors: '错误',
    latency: '延迟',
    traffic: '流量',
    error_logs: '错误日志',
    trace_errors: '链路错误',
    deploy_state: '发布状态',
  },
});
