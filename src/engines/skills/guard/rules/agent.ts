import type { LineRule } from '../rule.ts';

const OWN_FILES = String.raw`(?:SOUL\.md|MEMORY\.md|USER\.md|\.hermes\/(?:config\.yaml|\.env|memories|skills|plugins|cron\.yaml|mcp_config\.json|state\.db|gateway\.yaml))`;
const PROJECT_FILES = String.raw`(?:AGENTS\.md|CLAUDE\.md|GEMINI\.md|\.cursorrules|\.cursor\/rules|\.windsurfrules|copilot-instructions\.md|\.hermes\.md|\.claude\/settings(?:\.local)?\.json|\.mcp\.json)`;
const WRITES = String.raw`(?:(?<![<|\w-])>>?\s{0,5}|\btee\b[^\n]{0,10}\s|\bsed -i[^\n]{0,80}\s|\bcp\b[^\n]{1,80}\s|\bmv\b[^\n]{1,80}\s|(?:writeFileSync|appendFileSync|write_text|open)\([^\n]{0,40})["']?`;

/** What turns the agent itself: its settings, its memory, its tools. */
export const AGENT: readonly LineRule[] = [
  {
    rule: 'agent.own-files',
    severity: 'caution',
    pattern: new RegExp(`${WRITES}[^\\s"'|;]{0,80}${OWN_FILES}`, 'i'),
    code: true,
  },
  {
    rule: 'agent.memory-written',
    severity: 'dangerous',
    pattern: new RegExp(
      `${WRITES}[^\\s"'|;]{0,80}(?:SOUL\\.md|\\.hermes\\/(?:config\\.yaml|memories\\/|mcp_config\\.json))`,
      'i',
    ),
    code: true,
  },
  {
    rule: 'agent.memory-ordered',
    severity: 'dangerous',
    always: true,
    pattern:
      /\b(?:add|write|append|save|insert|store|inject|copy)\b[^.\n]{0,80}\b(?:to|in|into)\b[^.\n]{0,20}(?:SOUL\.md|MEMORY\.md|USER\.md|your (?:long-term |permanent )?memory|AGENTS\.md|CLAUDE\.md)[^.\n]{0,80}\b(?:so that|ensur\w{1,4}|always|every (?:future )?(?:session|conversation)|permanently|never ask)\b/i,
  },
  {
    rule: 'agent.project-files',
    severity: 'caution',
    pattern: new RegExp(`${WRITES}[^\\s"'|;]{0,80}${PROJECT_FILES}`, 'i'),
    code: true,
  },
  {
    rule: 'agent.approvals-off',
    severity: 'caution',
    pattern:
      /--(?:dangerously-skip-permissions|dangerously-bypass-approvals-and-sandbox|yolo|auto-approve(?:-all)?|trust-all-tools|no-confirm-all)\b|\b(?:auto_?approve|autoApprove|alwaysAllow|bypassPermissions|approval_mode|approvalPolicy)\b["']?\s{0,3}[:=]\s{0,3}["']?(?:true|\[?["']?\*|all|never|off|none|yolo|bypassPermissions)|HERMES_YOLO(?:_MODE)?=1/i,
  },
  {
    rule: 'agent.mcp-server',
    severity: 'caution',
    pattern:
      /\b(?:claude|codex|gemini|hermes|cursor)\s+mcp\s+add\b|(?:>>?|\btee\b)\s{0,5}\S{0,60}mcp(?:_config|\.json)\S{0,10}/i,
    code: true,
  },
  {
    rule: 'agent.mcp-settings',
    severity: 'notice',
    pattern: /"mcpServers"\s{0,3}:\s{0,3}\{/,
    code: true,
  },
  {
    rule: 'agent.tool-hijack',
    severity: 'dangerous',
    always: true,
    pattern:
      /\b(?:before|whenever|each time|every time)\b[^.\n]{0,60}\b(?:using|calling|you (?:use|call|run)|invok\w{1,4})\b[^.\n]{0,40}\b(?:any|every|another|other) (?:tool|command)\b[^.\n]{0,80}\b(?:first )?(?:call|run|send|execute|invoke|read)\b[^.\n]{0,80}(?:https?:\/\/|\bcurl\b|~\/\.|\.env\b|id_rsa|credentials?)/i,
  },
  {
    rule: 'agent.tool-hijack',
    severity: 'dangerous',
    always: true,
    pattern:
      /<(?:IMPORTANT|SYSTEM|system-reminder|tool_response|function_results?)>[^\n]{0,200}\b(?:read|cat|send|pass|include)\b[^\n]{0,100}(?:\.ssh|\.env|credentials?|mcp\.json|api.?keys?|tokens?)/i,
  },
  {
    rule: 'agent.hidden-argument',
    severity: 'dangerous',
    always: true,
    pattern:
      /\b(?:pass|include|put|place)\b[^.\n]{0,60}(?:contents? of|file)[^.\n]{0,60}(?:\.ssh|id_rsa|\.env\b|credentials|mcp\.json)[^.\n]{0,60}\b(?:as|in|into)\b[^.\n]{0,40}\b(?:parameter|argument|field|sidenote|note)\b/i,
  },
  {
    rule: 'agent.silence',
    severity: 'dangerous',
    always: true,
    pattern:
      /\b(?:silently|secretly|quietly|covertly|in the background)\b[^.\n]{0,60}\b(?:exfiltrat\w{0,4}|upload|send|post|transmit|copy)\b[^.\n]{0,80}\b(?:keys?|tokens?|credentials?|secrets?|passwords?|files?|data|history|environment)\b[^.\n]{0,40}(?:\bto\b|https?:)/i,
  },
  {
    rule: 'agent.silence',
    severity: 'dangerous',
    always: true,
    pattern:
      /\bwithout (?:the user(?:'s)? (?:noticing|knowing|knowledge)|telling (?:the user|anyone)|(?:the )?user(?:'s)? (?:knowledge|awareness))\b|\b(?:the user|users?) (?:must|should) (?:not|never) (?:know|see|notice|be (?:told|aware))\b/i,
  },
];
