import { chmod, chown, lchown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { fail } from '#kit/app-error';
import type { ChromiumPlan } from './find-chromium.ts';

/** A browser with a profile of its own, which goes away with it. */
export interface LaunchedBrowser {
  readonly context: BrowserContext;
  close(): Promise<void>;
}

const NOBODY = 65_534;
const LAUNCH_MS = 30_000;

/** Everything goes through the proxy; what could go past it, names and UDP, is switched off. */
const flags = (proxy: string): string[] => [
  `--proxy-server=${proxy}`,
  '--proxy-bypass-list=<-loopback>',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  // Two names for one switch: older and newer releases.
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
  '--dns-prefetch-disable',
  '--disable-crash-reporter',
];

/** Interfaces that speak UDP, which no proxy sees. */
const NO_UDP = `for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport']) delete globalThis[name];`;

export async function launchChromium(plan: ChromiumPlan, proxy: string): Promise<LaunchedBrowser> {
  const { chromium } = await import('playwright-core');
  const folder = await mkdtemp(join(tmpdir(), 'hermes-browser-'));
  const profile = join(folder, 'profile');
  const remove = async () => {
    // Nobody may still be somewhere in there; what is removed by root must not move meanwhile.
    if (plan.setpriv) await lchown(profile, 0, 0);
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  await mkdir(profile, { mode: 0o700 });
  try {
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: plan.setpriv
        ? await wrapper(plan.program, plan.setpriv, folder, profile)
        : plan.program,
      headless: true,
      chromiumSandbox: !plan.unsandboxed,
      args: flags(proxy),
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: profile, TMPDIR: profile, LANG: 'C.UTF-8' },
      viewport: { width: 1280, height: 800 },
      acceptDownloads: false,
      serviceWorkers: 'block',
      timeout: LAUNCH_MS,
      // What a signal means is for Hermes to decide: the library would end the process.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
    await context.addInitScript(NO_UDP);
    return {
      context,
      close: async () => {
        await context.close();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw launchError(error);
  }
}

/** Starts the browser as nobody. It lies where nobody cannot write, for it is run by root. */
async function wrapper(program: string, setpriv: string, folder: string, profile: string): Promise<string> {
  await chmod(folder, 0o711);
  await chown(profile, NOBODY, NOBODY);
  const path = join(folder, 'start');
  const quoted = [setpriv, program].map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  const drop = `--reuid=${NOBODY} --regid=${NOBODY} --clear-groups --no-new-privs --inh-caps=-all --`;
  await writeFile(path, `#!/bin/sh\nexec ${quoted[0]} ${drop} ${quoted[1]} "$@"\n`, { mode: 0o755 });
  return path;
}

function launchError(error: unknown): Error {
  const text = error instanceof Error ? error.message : String(error);
  if (/No usable sandbox|setuid sandbox|Operation not permitted/i.test(text))
    return fail(
      'tool.failed',
      'Chromium cannot sandbox itself here',
      'allow unprivileged user namespaces, or set HERMES_BROWSER_UNSANDBOXED=1 to do without',
      error,
    );
  return fail('tool.failed', `the browser did not start: ${text.split('\n', 1)[0]}`, undefined, error);
}
