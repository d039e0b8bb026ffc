import type { Tier } from '#engines/models';
import type { ErrorRecord, ModelInfo } from '#spec/data';
import type { Model } from '#spec/ports';

/** The provider that stands for the built-in operator. */
export const LOCAL = 'local';

/** A model as the configuration or a user names it; what is left out is filled in. */
export interface ModelRef {
  readonly provider: string;
  readonly model?: string | undefined;
  readonly base_url?: string | undefined;
  readonly api_mode?: ModelInfo['protocol'] | undefined;
  readonly api_key?: string | undefined;
}

export interface Models {
  /** The model that answers this message: the primary, or its tier's, each with its stand-ins behind it. */
  turn(text: string): Promise<{ model: Model; tier?: Tier }>;
  /** One endpoint alone, for trying it. */
  open(ref: ModelRef): Promise<Model>;
  /** What is configured, or undefined when the built-in operator answers. */
  readonly primary: ModelRef | undefined;
  /** Stand-ins that cannot be used as they are configured. */
  readonly problems: readonly ErrorRecord[];
}

/** `provider/model` or `provider`; the model's own name may contain slashes. */
export function parseRef(text: string): ModelRef {
  const [provider = '', ...rest] = text.trim().split('/');
  return { provider, model: rest.join('/') || undefined };
}
