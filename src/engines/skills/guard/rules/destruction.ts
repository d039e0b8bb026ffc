import type { LineRule } from '../rule.ts';

const EVERYTHING = String.raw`["'](?:\/|~|\/home|\/etc|\/usr|\/var|C:\\\\?)["']|os\.path\.expanduser\(["']~["']\)|Path\.home\(\)\s{0,3}[,)]|os\.homedir\(\)\s{0,3}[,)]`;

/** What other languages than the shell can wipe. */
export const DESTRUCTION: readonly LineRule[] = [
  {
    rule: 'destruction.tree',
    severity: 'dangerous',
    pattern: new RegExp(
      `\\b(?:shutil\\.rmtree|rmtree|fs\\.rm(?:Sync|dirSync)?|rimraf(?:\\.sync)?|FileUtils\\.rm_rf|os\\.RemoveAll)\\(\\s{0,4}(?:${EVERYTHING})`,
      'i',
    ),
  },
  {
    rule: 'destruction.disk',
    severity: 'dangerous',
    pattern: /\bopen\(["']\/dev\/(?:sd[a-z]|nvme\d|vd[a-z]|hd[a-z])\w{0,4}["'],\s{0,3}["']\w{0,2}[wa+]/i,
  },
  {
    rule: 'destruction.windows',
    severity: 'dangerous',
    pattern:
      /\b(?:format\s+c:|del\s+\/[sfq](?:\s+\/[sfq]){0,2}\s+c:\\|rd\s+\/s\s+\/q\s+c:\\|vssadmin\s+delete\s+shadows|Remove-Item\b[^\n]{0,60}-Recurse[^\n]{0,40}C:\\(?:\s|$|["']))/i,
  },
  {
    rule: 'destruction.ransom',
    severity: 'dangerous',
    pattern:
      /\b(?:encrypt|overwrite)\b[^.\n]{0,40}\b(?:all|every)\b[^.\n]{0,30}\b(?:files?|documents?|home)\b[^.\n]{0,60}\b(?:ransom|delete the (?:key|originals?)|bitcoin)\b/i,
  },
  {
    rule: 'destruction.database',
    severity: 'caution',
    pattern:
      /\bDROP\s+(?:DATABASE|SCHEMA)\s+(?!IF EXISTS (?:test|tmp|temp)\w*)[\w"'`]|\bFLUSHALL\b|\bkubectl delete (?:ns|namespace|pv|crd)\b[^\n]{0,40}--all\b|\bterraform destroy\b[^\n]{0,60}-auto-approve|\baws s3 rb\b[^\n]{0,60}--force\b/i,
    code: true,
  },
];
