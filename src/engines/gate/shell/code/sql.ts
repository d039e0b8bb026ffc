import type { Call } from '../call.ts';

const READS =
  /^(?:select|show|explain|describe|desc|with|values|table|use|set\s+(?:search_path|statement_timeout|names|session\s+characteristics)|pragma|begin|commit|rollback|start\s+transaction|analyze|help|status|\.(?:tables|schema|headers|mode|indexes|databases|width|timer|dbinfo|fullschema)|\\(?:d\w*\+?|l\+?|conninfo|x|timing|pset|q|echo|encoding|du|dt|dn|df|di|dv|z|sf|sv)\b)/i;
const HIDDEN_WRITE =
  /\b(?:insert\s+into|update\s+[\w."`]+\s+set|delete\s+from|drop\s|truncate\s|alter\s|create\s|grant\s|revoke\s|merge\s+into|replace\s+into|copy\s|into\s+(?:out|dump)file|load_file|load_extension|lo_(?:import|export|unlink)|pg_(?:terminate|cancel)_backend|pg_read_\w*file|pg_ls_dir|pg_sleep|pg_reload_conf|pg_switch_wal|pg_promote|pg_drop_\w+|dblink\w*|xp_\w+|sys_(?:exec|eval)|writefile|readfile|edit\s*\(|nextval|setval|set_config|query_to_xml|database_to_xml)/i;
const RUNS =
  /(?:^|[;\n])[ \t]{0,40}(?:\\!|\\(?:o|w|i|ir|g|copy|setenv|e|ef|ev|gexec|gset|lo_\w+)\b|\.(?:shell|system|import|output|once|excel|save|backup|restore|load|read|open|dump|archive|clone|cd|log|sha3sum|www|edit)\b|system\s|source\s|tee\s|pager\s|edit\b|!)|\\!\s*\w|\bto\s+program\b|\bfrom\s+program\b/i;

/** Statements that only read are fine; all others need a person. */
export function judgeSql(text: string, call: Call): void {
  if (RUNS.test(text)) return call.ask('runs a command or touches files from within the database client');
  const bare = text.replace(/'(?:''|[^'])*'/g, "''").replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, ' ');
  if (/\/\*!/.test(text)) return call.ask('hides a statement in a comment');
  for (const statement of bare.split(/[;\n]/)) {
    const trimmed = statement.trim();
    if (trimmed === '') continue;
    const continued =
      !/^[a-z\\.]+/i.test(trimmed) ||
      /^(?:from|where|and|or|order|group|having|limit|join|left|right|inner|on|union|offset|as|as\b.*)\b/i.test(
        trimmed,
      );
    if (!continued && !READS.test(trimmed) && /^[a-z\\.!]/i.test(trimmed) && startsStatement(trimmed)) {
      call.level(3);
      return call.ask(`changes data: \`${trimmed.slice(0, 60)}\``);
    }
    if (/^pragma\s+\w+\s*=/i.test(trimmed) || HIDDEN_WRITE.test(trimmed)) {
      call.level(3);
      return call.ask(`changes data: \`${trimmed.slice(0, 60)}\``);
    }
  }
}

/** A line that goes on with the statement before it is no statement of its own. */
const startsStatement = (line: string): boolean => !/^[\w".`]+\s*(?:,|=|$)/.test(line) || /^\w+$/.test(line);
