import type { LineRule } from '../rule.ts';

const DECODES = String.raw`(?:base64\.b(?:64|32|85)decode|b64decode|bytes\.fromhex|codecs\.decode|zlib\.decompress|gzip\.decompress|lzma\.decompress|marshal\.loads|atob|Buffer\.from\([^)\n]{0,400},\s{0,4}["'](?:base64|hex)["']|unescape|decodeURIComponent|String\.fromCharCode|FromBase64String)`;

/** Text that says one thing and does another. */
export const OBFUSCATION: readonly LineRule[] = [
  {
    rule: 'obfuscation.decoded-code',
    severity: 'dangerous',
    pattern: new RegExp(
      `\\b(?:exec|eval|compile|Function|setTimeout|setInterval|execSync|os\\.system|subprocess\\.\\w{2,12}|Invoke-Expression|iex)\\b\\s{0,4}\\(?[^\\n]{0,80}${DECODES}`,
      'i',
    ),
  },
  {
    rule: 'obfuscation.decoded-shell',
    severity: 'dangerous',
    pattern:
      /\bbase(?:64|32)\b[^\n|]{0,60}(?:-d|-D|--decode)\b[^\n|]{0,80}\|[^\n]{0,40}\b(?:ba|z|da|k)?sh\b|\bxxd\b[^\n|]{0,30}-r[^\n|]{0,40}\|[^\n]{0,40}\b(?:ba|z)?sh\b|\b(?:rev|tr|sed)\b[^\n|]{0,80}\|\s{0,4}(?:ba|z)?sh\s{0,4}$|\bopenssl (?:enc|base64)[^\n|]{0,80}-d[^\n|]{0,80}\|\s{0,4}(?:ba|z)?sh\b/i,
  },
  {
    rule: 'obfuscation.powershell',
    severity: 'dangerous',
    pattern:
      /\b(?:powershell|pwsh)(?:\.exe)?\b[^\n]{0,120}\s-e(?:nc|c|ncodedcommand)?\s+[A-Za-z0-9+/=]{20,}|\b(?:iex|Invoke-Expression)\b[^\n]{0,60}(?:DownloadString|Net\.WebClient)[^\n]{0,40}http:|\b(?:irm|iwr)\b[^\n]{0,20}http:[^\n]{0,120}\|\s{0,4}(?:iex|Invoke-Expression)\b/i,
  },
  {
    rule: 'install.runs-what-it-fetches',
    severity: 'caution',
    pattern:
      /\b(?:iex|Invoke-Expression)\b[^\n]{0,60}(?:DownloadString|Net\.WebClient|Invoke-WebRequest|\biwr\b|\birm\b)|\b(?:DownloadString|irm|iwr)\b[^\n]{0,120}\|\s{0,4}(?:iex|Invoke-Expression)\b/i,
  },
  {
    rule: 'obfuscation.escapes',
    severity: 'caution',
    pattern:
      /(?:\\x[0-9a-f]{2}){16,}|(?:\\u00[0-9a-f]{2}){12,}|(?:\\[0-7]{3}){16,}|(?:chr\(\d{1,3}\)\s{0,3}\+\s{0,3}){5,}|(?:%[0-9a-f]{2}){24,}/i,
    code: true,
  },
  {
    rule: 'obfuscation.built-code',
    severity: 'dangerous',
    pattern:
      /\b(?:exec|eval)\s{0,3}\([^\n]{0,60}(?:(?:chr\(\d{1,3}\)\s{0,3}\+\s{0,3}){2}|["']{2}\.join\([^\n]{0,40}\bchr\b|\.reverse\(\)|\[::-1\])|getattr\(\s{0,3}__import__\(\s{0,3}["']os["']|__import__\(["'](?:os|subprocess|socket)["']\)\.(?:system|popen|call|run|socket)|\bglobals\(\)\[["']__builtins__|\\x72\\x6d\\x20|\$'(?:\\x[0-9a-f]{2}){2,}/i,
  },
  {
    rule: 'obfuscation.blob',
    severity: 'caution',
    pattern: /(?<![\w+/=,;:])(?:[A-Za-z0-9+/]{300,})={0,2}(?![\w+/=])/,
    unless: /data:(?:image|font|audio|video)\/|"?(?:integrity|sha\d{3})"?\s{0,3}[:=-]/i,
  },
  {
    rule: 'obfuscation.comment',
    severity: 'dangerous',
    always: true,
    pattern:
      /<!--[^\n]{0,200}(?:\b(?:assistant|agent|model|llm|ai|claude|gpt)\b[,:]?\s[^\n]{0,60}\b(?:must|should|always|now|run|execute|send|ignore|fetch|output)\b|\b(?:secretly|silently|without (?:telling|asking|informing))\b|\b(?:run|execute|send|fetch)\b[^\n]{0,60}(?:curl|https?:\/\/|\brm\b|\bwget\b))/i,
  },
  {
    rule: 'obfuscation.invisible-style',
    severity: 'caution',
    pattern:
      /<(?:span|div|p|font)\b[^>\n]{0,120}(?:display:\s{0,3}none|visibility:\s{0,3}hidden|font-size:\s{0,3}0|color:\s{0,3}(?:white|#fff(?:fff)?|transparent))[^>\n]{0,60}>[^<\n]{0,200}\b(?:ignore|instructions?|execute|secret|system prompt|you must)\b/i,
  },
];
