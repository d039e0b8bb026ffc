import type { Missing, ToolPlace } from '#spec/ports';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** How the browser is started here. */
export interface ChromiumPlan {
  readonly program: string;
  /** Takes the rights of root away from it; only where Hermes itself has them. */
  readonly setpriv?: string;
  /** The user accepts a browser without its own sandbox. */
  readonly unsandboxed: boolean;
}

type Place = Pick<ToolPlace, 'key' | 'program'>;

/** Chromium does not sandbox itself as root, so it runs as nobody there, or not at all. */
export function findChromium(place: Place, root = process.getuid?.() === 0): ChromiumPlan | Missing {
  const program = place.key('CHROMIUM_PATH') ?? NAMES.map((name) => place.program(name)).find((path) => path);
  if (!program)
    return { what: 'there is no Chromium', fix: 'install chromium, or set CHROMIUM_PATH to the path of one' };
  const unsandboxed = place.key('HERMES_BROWSER_UNSANDBOXED') === '1';
  if (!root) return { program, unsandboxed };
  const setpriv = place.program('setpriv');
  if (setpriv) return { program, setpriv, unsandboxed };
  if (unsandboxed) return { program, unsandboxed };
  return {
    what: 'Hermes runs as root and cannot start the browser as somebody else',
    fix: 'install util-linux for setpriv, or do not run Hermes as root',
  };
}

export const isMissing = (found: ChromiumPlan | Missing): found is Missing => 'what' in found;

/** `host:port` entries that the pages may reach although they are not public. */
export const allowedHosts = (place: Pick<ToolPlace, 'key'>): readonly string[] =>
  (place.key('HERMES_BROWSER_ALLOW') ?? '')
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .filter((entry) => entry !== '');
