import type { Arg } from './arg.ts';
import type { Change } from './call.ts';
import { judgeReachOfFile } from './judge-reach.ts';
import type { Findings } from './judgement.ts';
import {
  globMatches,
  type Ground,
  isDiskDevice,
  isGuardPath,
  isOwnZone,
  isPrivatePath,
  isStartupPath,
  resolvePath,
  zoneOf,
} from './paths.ts';
import { showWords } from './shown.ts';

/** Files whose change takes the machine over or down. */
const NEVER_WRITTEN =
  /^\/proc\/(?:sysrq-trigger$|sys\/kernel\/(?:core_pattern|modprobe|hotplug)|\d+\/mem$|self\/mem$)|^\/sys\/(?:.*release_agent$|kernel\/uevent_helper|power\/state$)|^\/etc\/(?:shadow|gshadow|sudoers(?:$|\.d\/)|ld\.so\.preload)|\/release_agent$/;

/** Judges that a file is written or removed. */
export function judgeWrite(path: Arg, change: Change, ground: Ground, findings: Findings, who: string): void {
  findings.raise(change === 'create' ? 1 : 2);
  const removes = change === 'delete' || change === 'delete all below';
  const full = path.below ? undefined : resolvePath(path.text, ground);
  const what = `${who} ${removes ? 'deletes' : 'writes'} ${showWords([path.text])}`;
  findings.writes++;
  if (path.below) return;
  if (full !== undefined) {
    if (isGuardPath(full)) return findings.report('deny', `${what}, which belongs to Hermes itself.`);
    if (NEVER_WRITTEN.test(full))
      return findings.report('deny', `${what}, through which the whole machine is controlled.`);
  }
  const zone = zoneOf(full, ground);
  if (zone === 'null') findings.writes--;
  if (zone === 'device' && full !== undefined) {
    const verdict = isDiskDevice(full) ? 'deny' : 'ask';
    return findings.report(verdict, `${what}, a device.`);
  }
  const everything = change === 'delete all below' || change === 'change all below';
  if ((zone === 'top' && (removes || everything)) || (everything && path.glob && matchesTop(full))) {
    const verdict = everything || path.glob ? 'deny' : 'ask';
    return findings.report(verdict, `${what}, a folder that everything else depends on.`);
  }
  if (!path.literal && !path.plain)
    return findings.report('ask', `${what}, and where that is cannot be told beforehand.`);
  if (full !== undefined && isStartupPath(full)) {
    findings.raise(3);
    return findings.report('ask', `${what}, which takes effect later without anybody starting it.`);
  }
  if (!isOwnZone(zone)) {
    if (zone === 'system' || zone === 'top') findings.raise(3);
    return findings.report('ask', `${what}, outside of the working folder.`);
  }
  if (removes && full !== undefined) judgeOwnRemoval(path, full, change, ground, findings, what);
}

const TOP_FOLDERS = ['/bin', '/etc', '/usr', '/var', '/lib', '/boot', '/home', '/root', '/~/x'];
/** A pattern such as `/e*` that takes in one of the folders that everything depends on. */
const matchesTop = (full: string | undefined): boolean =>
  full !== undefined && TOP_FOLDERS.some((folder) => globMatches(full, folder));

/** Even in the working folder, everything at once and the history are not thrown away in passing. */
function judgeOwnRemoval(
  path: Arg,
  full: string,
  change: Change,
  ground: Ground,
  findings: Findings,
  what: string,
): void {
  const everything = full === ground.workspace || full === ground.cwd || ground.cwd?.startsWith(`${full}/`);
  const pattern =
    change === 'delete all below' && /^(?:\.\/)?(?:\*|\.\*|\.\[!\.\]\*|\*\*)(?:\/\*)?$/.test(path.text);
  if (everything || pattern) return findings.report('ask', `${what}: everything in the working folder.`);
  if (/\/\.git(?:\/|$)/.test(full)) findings.report('ask', `${what}: the history of the project.`);
}

/** Judges that a file is read. True: it holds something private. */
export function judgeRead(path: Arg, ground: Ground, findings: Findings, who: string): boolean {
  if (ground.workspace === findings.workspace) judgeReachOfFile(path, ground, findings, who);
  const full = resolvePath(path.text, ground);
  if (full === undefined || !isPrivatePath(full, path.glob)) return false;
  findings.readsPrivate = true;
  findings.raise(3);
  findings.report('ask', `${who} reads ${showWords([path.text])}, which may hold keys or credentials.`);
  return true;
}
