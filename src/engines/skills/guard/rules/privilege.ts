import type { LineRule } from '../rule.ts';

/** Rights that a procedure has no business taking, and what it brings along to be run. */
export const PRIVILEGE: readonly LineRule[] = [
  {
    rule: 'privilege.sudoers',
    severity: 'dangerous',
    pattern: /NOPASSWD:\s{0,3}ALL\b|(?:>>?|\btee\b[^\n]{0,10})\s{0,5}["']?\/etc\/sudoers/i,
    code: true,
  },
  {
    rule: 'privilege.setuid',
    severity: 'dangerous',
    pattern:
      /\bchmod\s+(?:-\w+\s+)?(?:[246][0-7]{3}|[ugo]{0,3}\+\w{0,2}s)\b[^\n]{0,40}(?:\/bin\/(?:ba|z|da)?sh|\/tmp\/|python|bash\b)|\bsetcap\b[^\n]{0,20}cap_set[ug]id|\bos\.setuid\(0\)/i,
  },
  {
    rule: 'privilege.accounts',
    severity: 'dangerous',
    pattern:
      /(?:>>?|\btee\b[^\n]{0,10})\s{0,5}["']?\/etc\/(?:passwd|shadow|gshadow)\b|\buseradd\b[^\n]{0,60}(?:-o\s+-u\s?0|-u\s?0\s+-o)|\becho\b[^\n]{0,60}\|\s{0,3}(?:sudo\s)?chpasswd\b/i,
  },
  {
    rule: 'privilege.groups',
    severity: 'caution',
    pattern: /\b(?:usermod|gpasswd|adduser)\b[^\n]{0,40}\b(?:sudo|wheel|docker|root|lxd)\b/i,
    code: true,
  },
  {
    rule: 'privilege.open-files',
    severity: 'caution',
    pattern: /\bchmod\s+(?:-R\s+)?(?:0?777|a\+rwx)\s+(?:\/(?!tmp)|~|\$HOME)/i,
    code: true,
  },
  {
    rule: 'privilege.cluster-admin',
    severity: 'caution',
    pattern:
      /clusterrolebinding\b[^\n]{0,120}cluster-admin|"?Action"?\s{0,3}:\s{0,3}\[?\s{0,3}"\*"[^\n]{0,60}"?Resource"?\s{0,3}:\s{0,3}\[?\s{0,3}"\*"|--role[= ]roles\/owner\b/i,
    code: true,
  },
  {
    rule: 'privilege.protection-off',
    severity: 'caution',
    pattern:
      /\bsetenforce 0\b|\bufw disable\b|\biptables -F\b|\bsystemctl (?:stop|disable|mask)[^\n]{0,30}\b(?:firewalld|auditd|apparmor|falcon-sensor|osqueryd)\b|Set-MpPreference[^\n]{0,40}Disable|\bcsrutil disable\b|\bspctl --master-disable\b/i,
    code: true,
  },
  {
    rule: 'privilege.traces-removed',
    severity: 'dangerous',
    pattern:
      /\bhistory -c\b[^\n]{0,20}(?:&&|;)|\bunset HISTFILE\b|\brm\b[^\n]{0,30}(?:\.bash_history|\.zsh_history|\/var\/log\/(?:auth|wtmp|btmp|secure))|>\s{0,3}(?:~\/\.bash_history|\/var\/log\/(?:auth\.log|wtmp|secure))|\bHISTFILE=\/dev\/null|\bwevtutil cl\b/i,
  },
];

export const INSTALLS: readonly LineRule[] = [
  {
    rule: 'install.package-script',
    severity: 'caution',
    pattern:
      /"(?:pre|post)?install"\s{0,3}:\s{0,3}"[^"\n]{1,400}"|"prepare"\s{0,3}:\s{0,3}"[^"\n]{0,200}(?:curl|wget|node -e)[^"\n]{0,200}"/i,
    code: true,
  },
  {
    rule: 'install.package-script-fetches',
    severity: 'dangerous',
    pattern:
      /"(?:pre|post)?install"\s{0,3}:\s{0,3}"[^"\n]{0,200}(?:\bcurl\b|\bwget\b|\bnc\b|base64|node -e|python3? -c|\/dev\/tcp)[^"\n]{0,400}"/i,
  },
  {
    rule: 'install.other-index',
    severity: 'caution',
    pattern:
      /\bpip3?\s+install\b[^\n]{0,160}(?:--trusted-host|(?:--index-url|-i|--extra-index-url)[= ]http:)|\bnpm\b[^\n]{0,80}--registry[= ]http:|\bpip3?\s+install\b[^\n]{0,80}\bgit\+http:/i,
  },
  {
    rule: 'install.no-verification',
    severity: 'caution',
    pattern:
      /\b(?:curl|wget)\b[^\n]{0,80}(?:\s-\w{0,5}k\w{0,3}\s|--insecure|--no-check-certificate)[^\n]{0,160}\|[^\n]{0,30}\b(?:ba|z)?sh\b/i,
  },
  {
    rule: 'install.plain-http-script',
    severity: 'dangerous',
    pattern:
      /\b(?:curl|wget)\b[^\n|]{0,120}\bhttp:\/\/(?!localhost|127\.|0\.0\.0\.0)[^\n|]{1,160}\|\s{0,4}(?:sudo\s{1,4}(?:-\w\s)?)?(?:ba|z|da)?sh\b/i,
  },
  {
    rule: 'install.cpan-style-hook',
    severity: 'dangerous',
    pattern:
      /cmdclass\s{0,3}=\s{0,3}\{[^\n]{0,60}install[^\n]{0,200}(?:os\.system|subprocess|urlopen|exec\()/i,
  },
  {
    rule: 'install.locked-archive',
    severity: 'dangerous',
    always: true,
    pattern:
      /\b(?:extract|unzip|unpack|unrar)\b[^.\n]{0,30}\b(?:using|with)\b[^.\n]{0,12}\b(?:pass|password|passcode|pw)\b\s{0,3}:?\s{0,3}["'`*]|(?:解压|解压缩)密码/i,
  },
  {
    rule: 'install.paste-page',
    severity: 'dangerous',
    always: true,
    pattern:
      /https?:\/\/(?:www\.)?(?:glot\.io|rentry\.(?:co|org)|pastebin\.com|paste\.ee|hastebin\.\w{2,4}|controlc\.com|telegra\.ph|ghostbin\.\w{2,4}|dpaste\.\w{2,4})\/[^\n]{0,160}\b(?:execute|run|paste|copy)\b[^\n]{0,60}\b(?:commands?|scripts?|terminal|powershell|it)\b/i,
  },
  {
    rule: 'install.program-first',
    severity: 'dangerous',
    always: true,
    pattern:
      /\b(?:run|execute|launch|start|open)\b[^.\n]{0,60}(?:\w\.(?:exe|msi|dmg|pkg|scr)\b|\bthe executable\b)[^.\n]{0,60}\bbefore\b[^.\n]{0,40}\b(?:using|starting|running|downloading|proceeding|the skill|commands?)\b/i,
  },
];
