import type { Missing, ToolPlace } from '#spec/ports';
import { serviceUrl } from '../services/service-urls.ts';

/** A service that speaks OpenAI's API, as the profile names it. */
export interface OpenAiService {
  readonly base: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly secret: string | undefined;
  /** The variables that it was found by, for messages. */
  readonly keys: string;
}

type Kind = 'IMAGE' | 'AUDIO';

/** The service of that kind, else OpenAI's own. One that is named by its address may do without a key. */
export function openAiService(place: ToolPlace, kind: Kind): OpenAiService | undefined {
  const own = serviceUrl(place, `${kind}_BASE_URL`);
  if (own) return service(own, place.key(`${kind}_API_KEY`), `${kind}_BASE_URL and ${kind}_API_KEY`);
  const secret = place.key('OPENAI_API_KEY');
  if (!secret) return undefined;
  const base = serviceUrl(place, 'OPENAI_BASE_URL') ?? 'https://api.openai.com/v1';
  return service(base, secret, 'OPENAI_API_KEY');
}

export const noAudio = (place: ToolPlace): Missing | undefined =>
  openAiService(place, 'AUDIO')
    ? undefined
    : {
        what: 'There is no service for speech.',
        fix: 'Set OPENAI_API_KEY, or AUDIO_BASE_URL (and AUDIO_API_KEY) of a service that speaks the OpenAI audio API.',
      };

const service = (base: string, secret: string | undefined, keys: string): OpenAiService => ({
  base,
  secret,
  keys,
  headers: secret ? { authorization: `Bearer ${secret}` } : {},
});
