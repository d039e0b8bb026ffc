import { z } from 'zod';
import { fail } from '#kit/app-error';
import type { EffectLevel, Missing, ToolContext, ToolPlace } from '#spec/ports';
import { askJson } from '../services/ask-service.ts';
import { serviceUrl } from '../services/service-urls.ts';

export const EntityId = z.string().regex(/^[a-z0-9_]+\.[a-z0-9_]+$/, 'an entity id looks like light.kitchen');

/** One thing in a home, of which the fields that are read are named. */
export const EntityState = z.object({
  entity_id: z.string(),
  state: z.string(),
  attributes: z.record(z.string(), z.unknown()).default({}),
  last_changed: z.string().optional(),
});
export type EntityState = z.infer<typeof EntityState>;

export const friendlyName = ({ attributes, entity_id: id }: EntityState): string =>
  typeof attributes.friendly_name === 'string' ? attributes.friendly_name : id;

export function noHome(place: ToolPlace): Missing | undefined {
  if (serviceUrl(place, 'HASS_URL') && place.key('HASS_TOKEN')) return undefined;
  return {
    what: 'No Home Assistant is connected.',
    fix: 'Set HASS_URL (such as http://homeassistant.local:8123) and HASS_TOKEN, a long-lived access token.',
  };
}

/** Asks the home that the profile names. Its address may be private: the web client knows it by HASS_URL. */
export function askHome<T>(
  path: string,
  schema: z.ZodType<T>,
  context: ToolContext,
  json?: unknown,
): Promise<T> {
  const base = serviceUrl(context, 'HASS_URL');
  const secret = context.key('HASS_TOKEN');
  if (!base || !secret) throw fail('tool.failed', 'No Home Assistant is connected.', noHome(context)?.fix);
  return askJson(
    {
      name: 'Home Assistant',
      url: `${base}/api/${path}`,
      headers: { authorization: `Bearer ${secret}` },
      ...(json === undefined ? {} : { json }),
      secret,
      keys: 'HASS_URL and HASS_TOKEN',
    },
    schema,
    context,
  );
}

export interface ServiceCall {
  readonly domain: string;
  readonly service: string;
  readonly entity_id?: string | readonly string[] | undefined;
  readonly data?: Readonly<Record<string, unknown>> | undefined;
}

/** They run programs or change the machine that Home Assistant stands on. */
const FORBIDDEN = new Set([
  'shell_command',
  'command_line',
  'python_script',
  'pyscript',
  'hassio',
  'rest_command',
  'backup',
]);
/** What stands between a home and whoever is outside, by domain and by the names that people give. */
const SENSITIVE_DOMAINS = new Set([
  'lock',
  'alarm_control_panel',
  'cover',
  'valve',
  'siren',
  'homeassistant',
  'water_heater',
]);
const SENSITIVE_NAMES = /lock|alarm|garage|gate|door|valve|siren|security/;
/** Covers that only keep the light out. */
const SHADES = /blind|shade|curtain|shutter|awning|window/;

export const forbiddenService = ({ domain }: ServiceCall): string | undefined =>
  FORBIDDEN.has(domain) ? `${domain} runs programs on the machine of Home Assistant.` : undefined;

/** 3 for locks, alarms, garage doors and what could reach them; 2 for everything else. */
export function levelOf(call: ServiceCall): EffectLevel {
  const targets = targetsOf(call);
  const names = [`${call.domain}.${call.service}`, ...targets];
  if (names.some((name) => SENSITIVE_NAMES.test(name.replace(/block|clock/g, '')))) return 3;
  if (call.domain === 'cover' && targets.length > 0 && targets.every((target) => SHADES.test(target)))
    return 2;
  const domains = [call.domain, ...targets.map((target) => target.split('.')[0] ?? '')];
  return domains.some((domain) => SENSITIVE_DOMAINS.has(domain)) ? 3 : 2;
}

/** Everything that is named as a target, wherever it stands in the call. */
export function targetsOf({ entity_id: direct, data = {} }: ServiceCall): string[] {
  const listed = [direct, data.entity_id, data.device_id, data.area_id, data.label_id, data.floor_id].flat();
  return listed.filter((target) => typeof target === 'string');
}
