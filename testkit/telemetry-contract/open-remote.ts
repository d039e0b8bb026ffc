import type { OpenedTelemetry, TelemetryKind } from '#spec/ports';

/** Opens a backend at an address. `more` are settings beside it. */
export type OpenRemote = (
  url: string,
  more?: Readonly<Record<string, unknown>>,
  token?: string,
) => Promise<OpenedTelemetry>;

/** Opens sources of a kind that is reached over HTTP, as a profile that holds this token does. */
export const remoteOpener =
  <Settings>({ settings, open }: TelemetryKind<Settings>): OpenRemote =>
  (url, more = {}, token = 'unused') =>
    open(settings.parse({ base_url: url, token_key: 'BACKEND_TOKEN', ...more }), {
      key: () => token,
      folder: '/nowhere',
      now: Date.now,
    });
