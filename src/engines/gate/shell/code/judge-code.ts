import { tell } from '#kit/text';
import type { Call } from '../call.ts';
import { isMetadataHost, hostOf } from '../addresses.ts';
import { literal } from '../arg.ts';
import { isSecretName } from '../words.ts';
import { judgeAwk } from './awk.ts';
import { judgeJavaScript } from './javascript.ts';
import { judgePython } from './python.ts';
import { judgeSql } from './sql.ts';
import { judgeWordy } from './wordy.ts';

/** A one-liner of a person has some hundred signs. */
const LONGEST = 5_000;

const EVALUATES = /\b(?:exec|eval|Function|instance_eval|class_eval|loadstring|compile)\s*[("'\s]/;
const RUNS =
  /\b(?:exec|eval|Function|instance_eval|loadstring|compile|system|popen|spawn\w*|subprocess|execSync|shell_exec|passthru)\b/;
const UNPACKS =
  /b(?:16|32|64|85)decode|a85decode|fromhex|unhexlify|decompress|rot_?13|\batob\b|Buffer\.from\([^)]*['"](?:base64|hex)|\bunpack\d?\b|\bpack\s*\(|decode64|base64_decode|gzinflate|hex2bin|codecs\.decode/;
const TALKS =
  /urlopen|urlretrieve|\brequests\.|\bhttpx?\.|http\.client|\bsocket\b|\bfetch\s*\(|https?\.(?:get|request)|net\.(?:connect|Socket)|\bLWP\b|Net::HTTP|URI\.open|curl_exec|fsockopen|file_get_contents\s*\(\s*['"]http/;
const SECRETS =
  /\benviron\b|process\.env|\bENV\b|getenv|\$_ENV|\.ssh\b|id_(?:rsa|ed25519)|\.aws\b|\.env\b|\/etc\/shadow|credentials/;

/** Judges code of another language by what it names. Whatever is not known to be harmless asks. */
export function judgeCode(language: string, code: string, call: Call): void {
  if (code.length > LONGEST)
    return call.runsAnything(tell('more code than can be looked through', '多得看不过来的代码'));
  for (const word of code.match(/https?:\/\/[^\s'"<>)]+|\b(?:\d{1,3}\.){3}\d{1,3}\b/g) ?? []) {
    if (isMetadataHost(hostOf(word) ?? ''))
      call.deny(tell('asks the metadata service of the cloud for credentials', '会向云的元数据服务索取凭据'));
  }
  if (/HERMES_[A-Z]+|\.hermes\b/.test(code))
    call.deny(tell('reaches for the settings of Hermes itself', '会触及 Hermes 自身的设置'));
  for (const path of code.match(/(?:~|\/)[\w./@~-]{3,200}/g)?.slice(0, 40) ?? []) call.reads(literal(path));
  for (const name of code.match(/\b[A-Z][A-Z0-9_]{3,60}\b/g)?.slice(0, 40) ?? [])
    if (isSecretName(name)) call.showsPrivate(tell(`uses ${name}`, `会使用 ${name}`));
  if (RUNS.test(code) && UNPACKS.test(code))
    call.deny(tell('runs what an encoding hides', '会运行被编码隐藏的内容'));
  if (EVALUATES.test(code) && TALKS.test(code))
    call.deny(tell('runs what comes from another machine', '会运行来自另一台机器的内容'));
  if (TALKS.test(code) && SECRETS.test(code))
    call.deny(
      tell('would send keys or the environment to another machine', '会把密钥或环境变量发往另一台机器'),
    );
  switch (language) {
    case 'python':
      return judgePython(code, call);
    case 'javascript':
      return judgeJavaScript(code, call);
    case 'awk':
      return judgeAwk(code, call);
    case 'sql':
      return judgeSql(code, call);
    default:
      return judgeWordy(language, code, call);
  }
}
