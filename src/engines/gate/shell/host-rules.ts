import { tell } from '#kit/text';
import { hostOf, isMetadataHost, isMixedScript } from './addresses.ts';
import type { Arg } from './arg.ts';
import type { Findings } from './judgement.ts';

const METADATA_ANYWHERE = /(?<![\d.])169\.254\.(?:169\.254|170\.2)(?![\d.]*\d)/;

/** Judges the hosts that a word of a network program may name. */
export function judgeHost(arg: Arg, shown: string, findings: Findings): void {
  const metadata = () =>
    findings.report(
      'deny',
      tell(
        `${shown} asks the metadata service of the cloud for credentials.`,
        `${shown} 会向云的元数据服务索取凭据。`,
      ),
    );
  if (METADATA_ANYWHERE.test(arg.text)) metadata();
  for (const word of [arg.text, ...arg.text.split(/[\s=,'"@]+/)].slice(0, 12)) {
    const host = hostOf(word);
    if (!host) continue;
    // A field of that name inside a body is no host.
    const field = host === 'metadata' && word !== arg.text && !/[/:]/.test(word);
    if (isMetadataHost(host) && !field) metadata();
    if (isMixedScript(host) || (isMixedScript(word) && word.includes('://'))) {
      findings.report(
        'deny',
        tell(
          `${shown} names a host that is spelled with letters of different scripts.`,
          `${shown} 的主机名混用了不同文字的字母。`,
        ),
      );
    }
  }
}
