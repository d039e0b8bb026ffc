import { say, tell, type Text } from '#kit/text';
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
export function judgeWrite(
  path: Arg,
  change: Change,
  ground: Ground,
  findings: Findings,
  who: Text | string,
): void {
  findings.raise(change === 'create' ? 1 : 2);
  const removes = change === 'delete' || change === 'delete all below';
  const full = path.below ? undefined : resolvePath(path.text, ground);
  const what = (en: string, zh: string): Text => {
    const shown = showWords([path.text]);
    return tell(
      `${say(who, 'en')} ${removes ? 'deletes' : 'writes'} ${shown}${en}`,
      `${say(who, 'zh')} 会${removes ? '删除' : '写入'} ${shown}${zh}`,
    );
  };
  findings.writes++;
  if (path.below) return;
  if (full !== undefined) {
    if (isGuardPath(full))
      return findings.report('deny', what(', which belongs to Hermes itself.', ',它属于 Hermes 自身。'));
    if (NEVER_WRITTEN.test(full))
      return findings.report(
        'deny',
        what(', through which the whole machine is controlled.', ',整台机器由它控制。'),
      );
  }
  const zone = zoneOf(full, ground);
  if (zone === 'null') findings.writes--;
  if (zone === 'device' && full !== undefined) {
    const verdict = isDiskDevice(full) ? 'deny' : 'ask';
    return findings.report(verdict, what(', a device.', ',这是设备。'));
  }
  const everything = change === 'delete all below' || change === 'change all below';
  if ((zone === 'top' && (removes || everything)) || (everything && path.glob && matchesTop(full))) {
    const verdict = everything || path.glob ? 'deny' : 'ask';
    return findings.report(
      verdict,
      what(', a folder that everything else depends on.', ',这是其他一切所依赖的目录。'),
    );
  }
  if (!path.literal && !path.plain)
    return findings.report(
      'ask',
      what(', and where that is cannot be told beforehand.', ',其位置无法事先得知。'),
    );
  if (full !== undefined && isStartupPath(full)) {
    findings.raise(3);
    return findings.report(
      'ask',
      what(', which takes effect later without anybody starting it.', ',它日后会自行生效,无需任何人启动。'),
    );
  }
  if (!isOwnZone(zone)) {
    if (zone === 'system' || zone === 'top') findings.raise(3);
    return findings.report('ask', what(', outside of the working folder.', ',它在工作目录之外。'));
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
  what: (en: string, zh: string) => Text,
): void {
  const everything = full === ground.workspace || full === ground.cwd || ground.cwd?.startsWith(`${full}/`);
  const pattern =
    change === 'delete all below' && /^(?:\.\/)?(?:\*|\.\*|\.\[!\.\]\*|\*\*)(?:\/\*)?$/.test(path.text);
  if (everything || pattern)
    return findings.report('ask', what(': everything in the working folder.', ':工作目录中的全部内容。'));
  if (/\/\.git(?:\/|$)/.test(full))
    findings.report('ask', what(': the history of the project.', ':项目的历史。'));
}

/** Judges that a file is read. True: it holds something private. */
export function judgeRead(path: Arg, ground: Ground, findings: Findings, who: Text | string): boolean {
  if (ground.workspace === findings.workspace) judgeReachOfFile(path, ground, findings, who);
  const full = resolvePath(path.text, ground);
  if (full === undefined || !isPrivatePath(full, path.glob)) return false;
  findings.readsPrivate = true;
  findings.raise(3);
  const shown = showWords([path.text]);
  findings.report(
    'ask',
    tell(
      `${say(who, 'en')} reads ${shown}, which may hold keys or credentials.`,
      `${say(who, 'zh')} 会读取 ${shown},其中可能有密钥或凭据。`,
    ),
  );
  return true;
}
