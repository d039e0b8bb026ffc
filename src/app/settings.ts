import type { CacheTtl, ModelRequest } from '#spec/data';
import type { OwnToolset } from '#kit/toolsets';

interface NamedModel {
  readonly provider: string;
  readonly model?: string | undefined;
}

/** What people set that use cases obey. The configuration of a home has all of it, checked and with its defaults. */
export interface Settings {
  readonly llm: {
    readonly thinking: NonNullable<ModelRequest['thinking']>;
    readonly cache_ttl: CacheTtl;
    readonly temperature?: number | undefined;
    readonly max_tokens?: number | undefined;
    readonly fallback: readonly NamedModel[];
    readonly tiers?: Readonly<Record<string, string | NamedModel | undefined>> | undefined;
  };
  readonly agent: {
    readonly max_calls: number;
    readonly interim_messages: boolean;
    readonly enabled_toolsets: readonly string[];
    readonly disabled_toolsets: readonly string[];
    readonly toolsets: Readonly<Record<string, OwnToolset>>;
  };
  readonly compression: {
    readonly enabled: boolean;
    readonly threshold: number;
    readonly keep_last: number;
    readonly model?: string | undefined;
  };
  readonly gate: { readonly wait_s: number };
  readonly memory: {
    readonly enabled: boolean;
    readonly recall: boolean;
    readonly context_limit: number;
    readonly ranking: string;
    readonly embedder: 'local' | 'remote' | 'off';
    readonly retention_days?: number | undefined;
    readonly summaries: boolean;
    readonly write_approval: boolean;
    readonly review: boolean;
    readonly review_every: number;
    readonly review_model?: string | undefined;
  };
  readonly skills: { readonly offer: boolean; readonly index_tokens: number };
  readonly learning: {
    readonly enabled: boolean;
    readonly approve: boolean;
    readonly threshold: number;
    readonly reflect_every: number;
    readonly stale_days: number;
    readonly archive_days: number;
  };
  readonly incidents: {
    readonly execute: boolean;
    readonly operations: readonly string[];
    readonly baseline_minutes: number;
    readonly collect_seconds: number;
    readonly confidence: number;
    readonly peak_hours?: string | undefined;
    readonly change_window?: string | undefined;
    readonly zone: string;
  };
}
