import type { ToolPlace } from '#spec/ports';

/**
 * Keys under which a user names a service of their own. Such a service may stand in a private network: the web client
 * is given these addresses as its exceptions.
 */
export const SERVICE_URL_KEYS = [
  'SEARXNG_URL',
  'OPENAI_BASE_URL',
  'IMAGE_BASE_URL',
  'AUDIO_BASE_URL',
  'HASS_URL',
  'GITHUB_API_URL',
] as const;

type ServiceUrlKey = (typeof SERVICE_URL_KEYS)[number];

/** The address of a service without a slash at its end. */
export function serviceUrl(place: ToolPlace, key: ServiceUrlKey): string | undefined {
  const url = place.key(key)?.trim().replace(/\/+$/, '');
  return url && URL.canParse(url) ? url : undefined;
}
