import type { Skill } from '#spec/data';
import { platformName } from '../document/read-fields.ts';

/** What is at hand, as far as it decides which skills are of use. */
export interface Available {
  readonly tools: ReadonlySet<string>;
  readonly toolsets: ReadonlySet<string>;
  /** As Node or a person calls it: `linux`, `darwin`, `macos`. */
  readonly platform: string;
  /** Names of variables that are set. */
  readonly variables: ReadonlySet<string>;
  /** Names of skills that the user or the learning loop has switched off. */
  readonly disabled?: ReadonlySet<string>;
}

/** Why a skill is not offered. */
export type HiddenReason =
  | { readonly kind: 'disabled' }
  | { readonly kind: 'platform'; readonly wanted: readonly string[] }
  | { readonly kind: 'tools'; readonly missing: readonly string[] }
  | { readonly kind: 'toolsets'; readonly missing: readonly string[] }
  /** It stands in for something that is there. */
  | { readonly kind: 'not_needed'; readonly there: readonly string[] };

/** Every reason; none for a skill that is offered. A variable that is not set hides nothing: it can be set. */
export function whyHidden({ name, needs }: Skill, available: Available): readonly HiddenReason[] {
  const reasons: HiddenReason[] = [];
  if (available.disabled?.has(name)) reasons.push({ kind: 'disabled' });
  if (needs.platforms.length > 0 && !needs.platforms.includes(platformName(available.platform))) {
    reasons.push({ kind: 'platform', wanted: needs.platforms });
  }
  const tools = needs.tools.filter((tool) => !available.tools.has(tool));
  if (tools.length > 0) reasons.push({ kind: 'tools', missing: tools });
  const toolsets = needs.toolsets.filter((toolset) => !available.toolsets.has(toolset));
  if (toolsets.length > 0) reasons.push({ kind: 'toolsets', missing: toolsets });
  const there = [
    ...needs.fallbackForTools.filter((tool) => available.tools.has(tool)),
    ...needs.fallbackForToolsets.filter((toolset) => available.toolsets.has(toolset)),
  ];
  if (there.length > 0) reasons.push({ kind: 'not_needed', there });
  return reasons;
}
