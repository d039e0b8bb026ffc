import type { LineRule } from '../rule.ts';

const KEYS_WRITTEN =
  /(?:>>?|\btee\b[^\n]{0,20}|\bopen\([^\n]{0,60}|\bcp\b[^\n]{0,60}|\bappendFileSync\([^\n]{0,40}|\bwriteFileSync\([^\n]{0,40})\s{0,5}["']?[^\s"']{0,80}authorized_keys|ssh-(?:rsa|ed25519) AAAA[^\n]{0,900}authorized_keys/i;

/** Ways to stay on a machine after the task is done. */
export const PERSISTENCE: readonly LineRule[] = [
  {
    rule: 'persistence.authorized-keys',
    severity: 'dangerous',
    pattern: KEYS_WRITTEN,
    // One's own key on one's own other machine, or a place for one.
    unless:
      /\bssh\s[^\n]{0,80}@[^\n]{0,60}['"][^\n]{0,120}authorized_keys|AAAA\.\.\.|<[\w -]{0,30}key[\w -]{0,30}>|your[-_ ]\w{0,10}[-_ ]?key/i,
  },
  { rule: 'persistence.authorized-keys', severity: 'caution', pattern: KEYS_WRITTEN },
  {
    rule: 'persistence.shell-start',
    severity: 'caution',
    pattern:
      /(?:>>?|\btee\b[^\n]{0,10})\s{0,5}["']?(?:~|\$HOME|\$\{HOME\}|\/root|\/home\/[\w.-]{1,40}|\/etc)?\/?\.?(?:bashrc|zshrc|profile|bash_profile|zprofile|zshenv|bash_login|config\/fish\/config\.fish|profile\.d\/)/i,
    // A variable or a path for the next shell.
    unless: /\becho\s{1,4}["']?\s{0,4}(?:export|set -gx|alias)\s[^|;&]{1,200}>>|\btee -a\b/i,
    code: true,
  },
  {
    rule: 'persistence.shell-start-runs',
    severity: 'dangerous',
    pattern:
      /(?:curl|wget|nc |base64|eval|python3? -c|\/dev\/tcp)[^\n]{0,160}>>?\s{0,5}["']?(?:~|\$HOME|\$\{HOME\}|\/root)\/\.(?:bashrc|zshrc|profile|bash_profile|zshenv)/i,
    unless:
      /\beval ["']?(?:\\?"?)\$\(\S{0,60}(?:brew|direnv|starship|pyenv|rbenv|nodenv|fnm|mise|zoxide|conda|ssh-agent|hook|completion|init|shellenv)/i,
  },
  {
    rule: 'persistence.alias',
    severity: 'dangerous',
    pattern:
      /\balias (?:sudo|ssh|su|ls|cd|git|kubectl)=["'][^"'\n]{0,80}(?:curl|wget|nc |\/tmp\/|base64)|PROMPT_COMMAND=["'][^"'\n]{0,80}(?:curl|wget|nc |base64|\/dev\/tcp)/i,
  },
  {
    rule: 'persistence.cron',
    severity: 'caution',
    pattern:
      /\|\s{0,5}crontab\b(?:\s+-)?|\bcrontab\s+(?:-(?!l\b|e\b|u\b)|[\w./]+\.(?:txt|cron))|>>?\s{0,5}\/etc\/cron|\btee\b[^\n]{0,20}\/etc\/cron/i,
    code: true,
  },
  {
    rule: 'persistence.cron-fetches',
    severity: 'dangerous',
    pattern:
      /(?:@reboot|(?:[\d*/,-]{1,20}\s){4}[\d*/,-]{1,20})\s[^\n]{0,80}(?:\b(?:curl|wget)\b[^\n]{0,160}\|\s{0,4}(?:ba|z|da)?sh\b|\/dev\/tcp\/|\bnc\b[^\n]{0,60}-e)/i,
  },
  {
    rule: 'persistence.service',
    severity: 'caution',
    pattern:
      /(?:>>?|\btee\b[^\n]{0,10}|\bcp\b[^\n]{0,60})\s{0,5}["']?(?:\/etc\/systemd\/|~\/\.config\/systemd\/|\/lib\/systemd\/|[^\s"']{0,40}Library\/LaunchAgents\/|\/etc\/init\.d\/|\/etc\/rc\.local)|\bschtasks \/create\b|CurrentVersion\\Run\b/i,
    code: true,
  },
  {
    rule: 'persistence.preload',
    severity: 'dangerous',
    pattern: /\/etc\/ld\.so\.preload|\bLD_PRELOAD=\S{0,80}(?:\/tmp\/|\/dev\/shm\/|\/var\/tmp\/)/i,
    code: true,
  },
  {
    rule: 'persistence.git-hook',
    severity: 'caution',
    pattern:
      /(?:>>?|\btee\b[^\n]{0,10}|\bcp\b[^\n]{0,60}|\bln\b[^\n]{0,60})\s{0,5}["']?\S{0,40}\.git\/hooks\/|\bcore\.hooksPath\b/i,
    code: true,
  },
  {
    rule: 'persistence.tunnel',
    severity: 'caution',
    pattern:
      /\bssh\b[^\n]{0,60}\s-\w{0,6}R\s?\S{0,10}\d{2,5}:|\b(?:ngrok|cloudflared tunnel|bore local|localtunnel|lt --port)\b[^\n]{0,40}(?:http|tcp|run|--url|--port|\d{2,5})/i,
    code: true,
  },
  {
    rule: 'persistence.reverse-shell',
    severity: 'dangerous',
    pattern:
      /\bsocket\.socket\([^\n]{0,300}(?:os\.dup2|pty\.spawn|subprocess\.call\(\[?["']\/bin\/(?:ba)?sh)|\bpty\.spawn\(["']\/bin\/(?:ba)?sh["']\)[^\n]{0,80}socket|\/dev\/tcp\/[^\s/]{1,80}\/\d{1,5}[^\n]{0,30}0>&1|\bnc\b[^\n]{0,60}\s-\w{0,6}e\s?\/bin\/(?:ba)?sh|\bnet\.(?:Socket|connect)\([^\n]{0,200}spawn\(["']\/bin\/|New-Object (?:System\.)?Net\.Sockets\.TCPClient|\bfsockopen\([^\n]{0,120}\bexec\(/i,
  },
];
