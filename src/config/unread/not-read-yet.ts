import { tell } from '#kit/text';

/** A file or place whose keys are promised somewhere and built by nothing so far. */
type Unbuilt = 'gateway.yaml' | 'cron.yaml' | 'imported.yaml' | 'skill' | 'profile' | 'environment';

/**
 * What documents promise and nothing here reads yet. Whoever sets one of these is told so, and nothing else happens. The
 * change that builds one removes its row. `*` stands for every key; a variable may end in it.
 */
export const NOT_READ_YET: Readonly<Record<Unbuilt, readonly string[]>> = {
  'gateway.yaml': ['gateway', 'platforms', 'routing'],
  'cron.yaml': ['*'],
  'imported.yaml': ['*'],
  skill: ['trigger.cron', 'mcp_servers'],
  profile: ['memory.namespace', 'mcp_servers', 'gateway'],
  environment: [
    'RUNBOOK_STORE_BACKEND',
    'RUNBOOK_STORE_POSTGRES_DSN',
    'RUNBOOK_MEMORY_DIR',
    'RUNBOOK_MEMORY_HRR_DIM',
    'RUNBOOK_MEMORY_BRIDGE_ENABLED',
    'RUNBOOK_MEMORY_ROUTER_ENABLED',
    'RUNBOOK_RAG_*',
    'RUNBOOK_TRAINING_*',
  ],
};

/** Values that say what happens anyway. */
export const AS_IT_IS: Readonly<Record<string, string>> = { RUNBOOK_STORE_BACKEND: 'sqlite' };

export const UNREAD = tell('is not read yet: it has no effect', '尚未读取:不起作用');
