import { tell, type Text } from '#kit/text';
import type { Call } from '../call.ts';
import { wordSet } from './tokens.ts';

/** Statements that begin so only read, unless something in them says otherwise. */
const READS =
  /^(?:select|show|explain|describe|desc|with|values|table|use|pragma|begin|commit|rollback|end|start\s+transaction|help|status|set\s+(?:local\s+|session\s+)?(?:search_path|statement_timeout|lock_timeout|names|timezone|time\s+zone|session\s+characteristics|transaction)\b)/i;
/** Words that change, run or reach outside, wherever they stand outside of text. */
const CHANGES =
  /\b(?:insert|update|delete|drop|truncate|alter|create|grant|revoke|merge|replace|copy|call|do|execute|prepare|vacuum|reindex|cluster|refresh|analyze|analyse|lock|listen|notify|load|attach|detach|import|export|into|for\s+(?:no\s+key\s+)?(?:update|share)|outfile|dumpfile|program)\b/i;
/** Functions that compute or look. Every other one asks: a database has functions that end sessions and read files. */
const FUNCTIONS = wordSet(
  `count sum avg min max coalesce nullif greatest least abs round floor ceil ceiling trunc mod power sqrt sign length char_length
   octet_length lower upper initcap trim ltrim rtrim btrim left right substr substring position strpos instr replace_text concat concat_ws
   lpad rpad repeat reverse split_part format to_char to_date to_timestamp to_number cast convert date date_trunc date_part
   extract date_format date_add date_sub datediff timestampdiff age now current_timestamp current_date localtimestamp clock_timestamp
   statement_timestamp unix_timestamp from_unixtime strftime julianday datetime time year month day hour minute second interval
   row_number rank dense_rank ntile lag lead first_value last_value nth_value percent_rank cume_dist over partition filter
   array_agg string_agg group_concat json_agg jsonb_agg json_object_agg jsonb_object_agg array_length cardinality unnest array
   json_extract json_extract_path_text jsonb_extract_path_text json_array_length jsonb_array_length json_build_object jsonb_build_object row_to_json to_json to_jsonb
   json_each json_typeof jsonb_pretty json_valid generate_series percentile_cont percentile_disc stddev variance bool_and bool_or every
   md5 sha1 sha2 hex encode typeof pg_typeof ifnull isnull iif if nvl decode_text
   pg_size_pretty pg_database_size pg_relation_size pg_total_relation_size pg_table_size pg_indexes_size pg_is_in_recovery
   pg_last_wal_receive_lsn pg_last_wal_replay_lsn pg_last_xact_replay_timestamp pg_current_wal_lsn pg_wal_lsn_diff pg_blocking_pids
   pg_backend_pid pg_postmaster_start_time pg_get_indexdef pg_get_viewdef pg_get_constraintdef pg_get_functiondef pg_get_expr
   pg_stat_get_live_tuples pg_stat_get_dead_tuples pg_encoding_to_char current_setting current_database current_schema current_schemas
   current_user session_user version inet_server_addr inet_client_addr has_table_privilege obj_description col_description
   format_type to_regclass age txid_current_snapshot database user connection_id schema found_rows
   quantile quantiles uniq uniqexact countif sumif avgif tostartofminute tostartofhour tostartofday todate todatetime formatreadablesize
   in exists any all some and or not on using as from where values with select case when then else end over by having is like between distinct union`,
);
/** Commands of psql that only show. */
const META = /^\\(?:d[a-zA-Z]*\+?|l\+?|conninfo|x|timing|q|encoding|z|sf\+?|sv\+?|echo|qecho|h)(?:\s|$)/;
const DOT =
  /^\.(?:tables|schema|headers?|mode|indexes|indices|databases|width|timer|dbinfo|fullschema|show|nullvalue|separator|quit|exit|changes|stats|eqp|explain|echo|bail|help|version)(?:\s|$)/;

/** Statements that are known to read are followed; all others need a person. */
export function judgeSql(text: string, call: Call): void {
  const fault = faultOf(text);
  if (fault === undefined) return;
  call.level(3);
  call.ask(fault);
}

function faultOf(text: string): Text | undefined {
  if (/\/\*[!+]/.test(text)) return tell('hides a statement in a comment', '在注释中藏有语句');
  // A command of the client takes the rest of its line, text in quotes included.
  const lines = text.split('\n');
  const meta = lines.filter((line) => /^\s*[\\.!]/.test(line));
  for (const line of meta) {
    const command = line.trim();
    if (!META.test(command) && !DOT.test(command))
      return tell(
        'runs a command or touches files from within the database client',
        '会从数据库客户端里运行命令或触及文件',
      );
    if (/[|`>]|\\!/.test(command) || command.slice(1).includes('\\'))
      return tell(
        'runs a command or touches files from within the database client',
        '会从数据库客户端里运行命令或触及文件',
      );
  }
  const rest = lines.filter((line) => !meta.includes(line)).join('\n');
  const bare = rest
    .replace(/'(?:''|[^'])*'/g, "''")
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, ' ');
  if (/\\/.test(bare.replace(/\\[gG](?=\s*(?:$|\n))/g, '')))
    return tell(
      'runs a command or touches files from within the database client',
      '会从数据库客户端里运行命令或触及文件',
    );
  if (/['$]\$|\$\$/.test(bare)) return tell('holds text that cannot be followed', '含有无法跟踪的文本');
  for (const statement of bare.split(';')) {
    const trimmed = statement.trim();
    if (trimmed === '') continue;
    if (!READS.test(trimmed))
      return tell(`changes data: \`${trimmed.slice(0, 60)}\``, `会改动数据:\`${trimmed.slice(0, 60)}\``);
    const names = trimmed.replace(/"(?:""|[^"])*"|`[^`]*`/g, 'x');
    const changing = CHANGES.exec(
      names
        .replace(
          /^explain\s*(?:\([^)]*\))?\s*(?:analy[sz]e\s+)?(?:verbose\s+)?(?=select|with|table|values)/i,
          '',
        )
        .replace(/\bcreated?_\w+|\bupdated?_\w+/gi, 'x'),
    );
    if (changing && !/^show\b/i.test(trimmed))
      return tell(`changes data, or may: \`${changing[0]}\``, `会或可能改动数据:\`${changing[0]}\``);
    if (/^show\b/i.test(trimmed) && /\bgrants?\b.*\bidentified\b/i.test(trimmed))
      return tell('shows credentials', '会显示凭据');
    if (
      /^pragma\s+[\w.]+\s*(?:=|\()/i.test(trimmed) &&
      !/^pragma\s+(?:table_x?info|index_(?:list|info)|foreign_key_list|integrity_check|quick_check)\s*\(/i.test(
        trimmed,
      )
    )
      return tell(`changes data: \`${trimmed.slice(0, 60)}\``, `会改动数据:\`${trimmed.slice(0, 60)}\``);
    const strange = [...names.matchAll(/([A-Za-z_][\w.]*)\s*\(/g)]
      .map(([, name]) => (name ?? '').toLowerCase())
      .find(
        (name) =>
          !FUNCTIONS.has(name.replace(/^(?:pg_catalog|information_schema)\./, '')) &&
          !isTableAlias(names, name),
      );
    if (strange !== undefined && !/^(?:pragma|describe|desc|show)\b/i.test(trimmed))
      return tell(
        `calls \`${strange}\`, which is not known to only read`,
        `会调用 \`${strange}\`,是否只读尚不可知`,
      );
  }
  return undefined;
}

/** `with recent(a, b) as (…)` and `x in (…)`: a name in front of a list that is no call. */
const isTableAlias = (statement: string, name: string): boolean =>
  new RegExp(
    `(?:\\bwith(?:\\s+recursive)?|,)\\s*${name.replaceAll('.', '\\.')}\\s*\\([\\w\\s,]*\\)\\s*as\\b|\\bas\\s+${name.replaceAll('.', '\\.')}\\s*\\(`,
    'i',
  ).test(statement);
