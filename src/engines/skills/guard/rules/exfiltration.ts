import type { LineRule } from '../rule.ts';

const SENDS = String.raw`\b(?:curl|wget|nc|ncat|netcat|socat|scp|rsync|rclone|ftp|sftp|httpie|requests\.(?:post|put|get)|httpx\.(?:post|put|get)|urlopen|fetch\(|axios\.(?:post|put)|Invoke-WebRequest|Invoke-RestMethod)`;
const SECRET_FILE = String.raw`(?:\.ssh\/(?!config\b|known_hosts\b|\S{0,40}\.pub\b|authorized_keys)[\w*.-]{0,40}|id_(?:rsa|ed25519|ecdsa|dsa)(?!\.pub)\b|\.aws\/credentials|\.netrc|\.pgpass|\.kube\/config|\.docker\/config\.json|\.gnupg|\.npmrc|\.pypirc|\.git-credentials|\/etc\/shadow|\.config\/gcloud|(?:Cookies|Login Data|logins\.json|key4\.db)\b|keychain-db|(?<![\w.])\.env(?!\.?\w{0,9}(?:example|sample|template|dist))\b|wallet\.dat|\.hermes\/(?:\.env|state\.db|memories))`;
const DROPS = String.raw`(?:webhook\.site|requestbin|pipedream\.net|ngrok(?:-free)?\.(?:io|app|dev)|transfer\.sh|file\.io|0x0\.st|pastebin\.com|hastebin|burpcollaborator|oast(?:ify)?\.|interact\.sh|canarytokens|discord(?:app)?\.com\/api\/webhooks|api\.telegram\.org\/bot)`;
/** Something of this machine that becomes part of a request. */
const TAKES = String.raw`(?:\$\((?:cat|env|printenv|whoami|id|hostname|base64|tar|find|ls)\b|@(?:\/(?!path\b)|~)|\s-T\s|--upload-file)`;
const ENVIRONMENT = String.raw`(?:\bprintenv\b|\benv\b(?=\s*\|)|\bos\.environ\b(?!\s{0,3}[[.])|\bdict\(os\.environ\)|\bprocess\.env\b(?!\s{0,3}[[.?])|\bexport -p\b|\/proc\/(?:self|\d+)\/environ)`;

/** Secrets and conversations on their way to another machine. */
export const EXFILTRATION: readonly LineRule[] = [
  {
    rule: 'exfiltration.secret-file',
    severity: 'dangerous',
    pattern: new RegExp(
      `${SENDS}[^\\n]{0,200}(?:@|<|\\s-T\\s|--upload-file|--post-file[= ]|open\\(|readFileSync\\(|read_text|\\$\\(cat|\`cat)[^\\n]{0,60}${SECRET_FILE}|${SECRET_FILE}[^\\n]{0,120}\\|[^\\n|]{0,80}${SENDS}|\\b(?:scp|rsync|rclone copy)\\b[^\\n]{0,80}${SECRET_FILE}[^\\n]{0,80}\\S@?[\\w.-]+:`,
      'i',
    ),
  },
  {
    rule: 'exfiltration.environment',
    severity: 'dangerous',
    pattern: new RegExp(
      `${ENVIRONMENT}[^\\n]{0,120}\\|[^\\n]{0,120}${SENDS}|${SENDS}[^\\n]{0,200}${ENVIRONMENT}|\\$\\((?:env|printenv)\\b[^\\n]{0,60}\\)[^\\n]{0,40}https?:`,
      'i',
    ),
  },
  {
    rule: 'exfiltration.drop-box',
    severity: 'caution',
    pattern: new RegExp(`https?:\\/\\/[\\w.-]{0,80}${DROPS}`, 'i'),
    code: true,
  },
  {
    rule: 'exfiltration.drop-box-upload',
    severity: 'dangerous',
    pattern: new RegExp(
      `${SENDS}[^\\n]{0,160}${TAKES}[^\\n]{0,120}${DROPS}|${SENDS}[^\\n]{0,120}${DROPS}[^\\n]{0,160}${TAKES}`,
      'i',
    ),
  },
  {
    rule: 'exfiltration.dns',
    severity: 'dangerous',
    always: true,
    pattern:
      /\b(?:dig|nslookup|host|ping|drill)\b[^\n|;]{0,60}(?:\$\([^)\n]{1,80}\)|`[^`\n]{1,80}`|\$\{?\w{0,30}(?:KEY|TOKEN|SECRET|PASSWORD|DATA)\w{0,20}\}?)\.[\w-]{1,60}\./i,
  },
  {
    rule: 'exfiltration.image',
    severity: 'dangerous',
    always: true,
    pattern:
      /!\[[^\]\n]{0,80}\]\(https?:\/\/[^)\s]{1,200}[?&=/](?:\$\{|\{\{|\{|<|%7B|\[)?(?:[\w ]{0,30}(?:secret|token|api.?key|password|conversation|history|context|memory|prompt|data)[\w ]{0,30})(?:\}|>|%7D|\])/i,
  },
  {
    rule: 'exfiltration.conversation',
    severity: 'dangerous',
    always: true,
    unless: /\b(?:only|never|don't|do not)\s+(?:ever\s+)?send\b/i,
    pattern:
      /\b(?:send|post|upload|forward|transmit|exfiltrate|append|encode|leak|report|output)\b[^.\n]{0,80}\b(?:conversation(?: history)?|chat (?:history|log)|system prompt|(?:user'?s?|all|the) (?:secrets?|credentials?|passwords?|api keys?|memor(?:y|ies))|environment variables|api keys?(?: and tokens?)?|MEMORY\.md|USER\.md)\b[^.\n]{0,60}(?:https?:\/\/|\bto\b[^.\n]{0,30}\b(?:\w{1,20} )?(?:url|endpoint|server|webhook)\b)/i,
  },
  {
    rule: 'exfiltration.conversation',
    severity: 'dangerous',
    always: true,
    pattern:
      /(?:发送|上传|转发|外传|泄露).{0,20}(?:对话|聊天记录|系统提示|密钥|密码|凭证|环境变量|记忆).{0,30}(?:https?:\/\/|服务器|接口)/,
  },
  {
    rule: 'exfiltration.clipboard',
    severity: 'dangerous',
    pattern: new RegExp(`(?:pbpaste|xclip -o|xsel -o|Get-Clipboard)[^\\n]{0,60}\\|[^\\n]{0,60}${SENDS}`, 'i'),
  },
  {
    rule: 'secrets.read',
    severity: 'caution',
    pattern: new RegExp(
      `(?:\\b(?:cat|less|head|tail|grep|strings|xxd|base64|cp|tar|zip)\\b|open\\(|readFileSync\\(|read_text|Path\\()[^\\n|]{0,80}${SECRET_FILE}`,
      'i',
    ),
  },
  {
    rule: 'secrets.store',
    severity: 'caution',
    pattern:
      /\bsecurity (?:find-generic-password|find-internet-password|dump-keychain)\b|\bsecret-tool lookup\b|\bgpg --export-secret-keys\b|\bkubectl get secrets?\b[^\n]{0,60}-o\s?(?:yaml|json)|\bmimikatz\b|\blsass\b/i,
  },
  {
    rule: 'secrets.dump',
    severity: 'dangerous',
    pattern: /\bmimikatz\b|\bsekurlsa::|\bdump-keychain\b|\bcomsvcs\.dll[^\n]{0,20}MiniDump|\bLaZagne\b/i,
  },
];
