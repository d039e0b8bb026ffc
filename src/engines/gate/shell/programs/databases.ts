import { tell } from '#kit/text';
import { literal } from '../arg.ts';
import { type Call, forEach, type Program, type ProgramTable } from '../call.ts';
import { EMPTY, type Feed, OPAQUE } from '../feed.ts';
import { type Grammar, known, type Rule } from '../grammar.ts';
import { byVerb, each, reads } from '../verbs.ts';
import { asks } from './rules.ts';

const HELP = '--help --version';

interface SqlClient {
  readonly grammar: Grammar;
  /** Options whose value is a statement. */
  readonly statements: readonly string[];
  /** Options with which it looks without any statement. */
  readonly looks?: readonly string[];
  /** Options whose value is a setting of psql. */
  readonly settings?: readonly string[];
}

/** Clients of databases: statements on the command line or on the input are looked at. */
const sqlClient = ({ grammar, statements, looks = [], settings = [] }: SqlClient): Program =>
  known(grammar, (call, words) => {
    call.connects();
    for (const setting of words.values(...settings))
      if (!setting.literal || !PSQL_SETTING.test(setting.text))
        call.ask(
          tell(
            `changes the setting \`${setting.text.slice(0, 40)}\``,
            `会改动设置 \`${setting.text.slice(0, 40)}\``,
          ),
        );
    const found = words.values(...statements);
    for (const statement of found) call.runsCode('sql', statement);
    return found.length > 0 || words.has(...looks) ? OPAQUE : fromInput(call);
  });

function fromInput(call: Call): Feed {
  if (call.stdin.text !== undefined && call.stdin !== EMPTY) call.runsCode('sql', literal(call.stdin.text));
  else
    call.ask(
      call.stdin === EMPTY
        ? tell('opens a session that waits for statements', '会打开等待语句的会话')
        : tell('runs statements that cannot be told beforehand', '会运行无法事先得知的语句'),
    );
  return OPAQUE;
}

const psql: SqlClient = {
  grammar: {
    flags: `-l|--list -a|--echo-all -A|--no-align -b|--echo-errors -e|--echo-queries -E|--echo-hidden -H|--html -n|--no-readline -q|--quiet -S|--single-line -t|--tuples-only -w|--no-password -W|--password -X|--no-psqlrc -x|--expanded -z|--field-separator-zero -0|--record-separator-zero -1|--single-transaction --csv -V|--version ${HELP}`,
    text: '-c|--command -d|--dbname -h|--host -p|--port -U|--username -F|--field-separator -R|--record-separator -T|--table-attr -v|--set|--variable -P|--pset',
    asks: '-s|--single-step',
    asksWith: '-f|--file -L|--log-file -o|--output',
    operands: ['text'],
  },
  statements: ['-c'],
  settings: ['-P'],
  looks: ['-l', '--help', '--version'],
};
/** Settings of psql that only say how something is shown. */
const PSQL_SETTING =
  /^(?:(?:format|expanded|border|tuples_only|null|footer|linestyle|fieldsep|recordsep|columns|title|unicode_\w+|numericlocale|xheader_width|tableattr|csv_fieldsep)(?:=[^|`]*)?|pager(?:=(?:off|0))?)$/;

const sqlite = known(
  {
    style: 'word',
    flags:
      '-readonly -csv -json -line -list -column -html -table -markdown -box -header -noheader -bail -batch -version -help -echo -stats -safe -quote -tabs -ascii -memtrace-off -nofollow',
    text: '-cmd -separator -nullvalue -newline -mmap -lookaside -pagecache',
    asks: '-interactive -append -archive -deserialize -unsafe-testing',
    asksWith: '-init -vfs -key -A -zip -maxsize',
  },
  (call, words) => {
    for (const statement of words.values('-cmd')) call.runsCode('sql', statement);
    const [file, ...statements] = words.operands;
    if (file) call.reads(file);
    for (const statement of statements) {
      if (file && !/^\s*(?:select|with|explain|pragma|\.)/i.test(statement.text)) call.writes(file, 'change');
      call.runsCode('sql', statement);
    }
    return statements.length > 0 || words.has('-version') ? OPAQUE : fromInput(call);
  },
);

/** Commands that read, with the second word where the first one only names a group. */
const REDIS = new Set(
  `info ping get mget strlen exists ttl pttl expiretime type keys scan hget hgetall hmget hkeys hvals hlen hscan hexists hstrlen llen
   lrange lindex lpos scard smembers sismember smismember sscan zrange zrangebyscore zrangebylex zrevrange zcard zscore zmscore zrank
   zrevrank zcount zlexcount zscan dbsize time lastsave echo getrange getbit bitcount bitpos randomkey role xlen xrange xrevrange
   xpending dump select hello geopos geodist geosearch pfcount
   slowlog~get slowlog~len client~list client~info client~getname client~id config~get cluster~info cluster~nodes cluster~slots
   cluster~shards cluster~keyslot cluster~countkeysinslot memory~usage memory~stats memory~doctor latency~latest latency~history
   latency~doctor latency~graph object~encoding object~freq object~idletime object~refcount command command~count command~docs
   command~info acl~whoami acl~cat module~list xinfo~stream xinfo~groups xinfo~consumers pubsub~channels pubsub~numsub pubsub~numpat`
    .split(/\s+/)
    .map((name) => name.replace('~', ' ')),
);

const redis = known(
  {
    flags:
      '-c -e -v --tls --raw --no-raw --csv --json --scan --stat --bigkeys --memkeys --hotkeys --latency --latency-history --latency-dist --insecure --no-auth-warning --quoted-input --quoted-pattern --version --help -2 -3 -4 -6 --show-pushes',
    text: '-h -p -a -n -u -i -r -t -D -d --user --pass --sni --pattern --intrinsic-latency --count --memkeys-samples',
    inside: '-s --cacert --cacertdir --cert --key',
    asks: '-x -X --pipe --lru-test --replica --askpass --functions-rdb',
    asksWith: '--eval --rdb --pipe-timeout --cluster --ldb --ldb-sync-mode --verbose',
    stopsEarly: true,
  },
  (call, words) => {
    call.connects();
    const [verb, second] = words.operands;
    if (!verb) {
      const looks = words.has(
        '--scan',
        '--stat',
        '--bigkeys',
        '--memkeys',
        '--hotkeys',
        '--latency',
        '--latency-history',
        '--version',
        '-v',
        '--help',
      );
      if (!looks)
        call.ask(
          call.stdin === EMPTY
            ? tell('opens a session that waits for commands', '会打开等待命令的会话')
            : tell('runs commands from its input', '会运行来自输入的命令'),
        );
      return OPAQUE;
    }
    if (words.operands.some(({ text }) => /^-(?!\d)/.test(text)))
      call.ask(tell('has an option behind its command', '在命令之后带有选项'));
    const name = verb.text.toLowerCase();
    const group = `${name} ${second?.text.toLowerCase() ?? ''}`;
    if (!verb.literal || !(REDIS.has(name) || (second?.literal && REDIS.has(group)))) {
      call.level(3);
      call.ask(
        tell(
          `does \`${verb.text}\`, which is not known to only read`,
          `会执行 \`${verb.text}\`,是否只读尚不可知`,
        ),
      );
    }
    return OPAQUE;
  },
);

/** `db.name.method(…)` and its like with methods that read; arguments are plain values. */
const MONGO_READ =
  /^(?:db(?:\.(?:getSiblingDB|getCollection)\((?:'[\w.-]+'|"[\w.-]+")\)|\.[A-Za-z_]\w*)*?\.(?:find|findOne|count|countDocuments|estimatedDocumentCount|distinct|explain|stats|getIndexes|totalSize|storageSize|dataSize|serverStatus|hostInfo|version|getName|getCollectionNames|getCollectionInfos|currentOp|isMaster|hello|getMongo|serverBuildInfo|printCollectionStats|printReplicationInfo|getReplicationInfo)|rs\.(?:status|conf|printReplicationInfo|printSecondaryReplicationInfo|isMaster|hello)|sh\.status|show\s+(?:dbs|collections|databases|users|profile|logs))\(?([^()]*)\)?((?:\.(?:limit|skip|sort|count|pretty|toArray|size|itcount|explain|hint|maxTimeMS|projection|length)(?:\([^()]*\))?)*)(?:\.\w+)*;?$/;
const MONGO_CODE = /\$(?:where|function|accumulator|out|merge)|=>|\bfunction\b|[`+]/;

const mongo = known(
  {
    flags: `--quiet --norc --nodb --json --tls --ssl --retryWrites --verbose ${HELP}`,
    text: '--eval -h|--host -p|--port -u|--username --password --authenticationDatabase --authenticationMechanism --apiVersion',
    glued: '--json',
    inside: '--tlsCAFile --tlsCertificateKeyFile',
    asks: '--shell --tlsAllowInvalidCertificates --tlsAllowInvalidHostnames',
    asksWith: '-f|--file --csfleLibraryPath --cryptSharedLibPath',
  },
  (call, words) => {
    call.connects();
    const codes = words.values('--eval');
    for (const code of codes)
      if (!code.literal || !isMongoRead(code.text)) {
        call.level(3);
        call.ask(tell('changes data, or runs code that is not followed', '会改动数据,或运行无法跟踪的代码'));
      }
    const file = words.operands.some(({ text }) => /\.(?:m?js|mongodb)$/.test(text));
    if (file || (codes.length === 0 && !words.has('--version', '--help')))
      call.ask(tell('runs code from a file or its input', '会运行来自文件或其输入的代码'));
    return OPAQUE;
  },
);
const isMongoRead = (code: string): boolean => {
  const inner =
    /^(?:print|printjson|JSON\.stringify|EJSON\.stringify)\((.*)\);?$/s.exec(code.trim())?.[1] ?? code.trim();
  return inner.length < 2_000 && MONGO_READ.test(inner) && !MONGO_CODE.test(inner);
};

const STORE: Grammar = {
  flags: `--quiet -q --verbose --silent -s --offline --prefix --keys-only --print-value-only --from-key --count-only --hex --cluster -H --human-readable ${HELP}`,
  text: '--endpoints --user --command-timeout --dial-timeout -w|--write-out --limit --order --sort-by --rev --consistency -p --vhost -t|--timeout --node|-n -f|--format --formatter -h|--host -u -P|--port --filter -V -N -a',
  inside: '--cacert --cert --key --discovery-srv --insecure-transport',
};
const verbs = (list: string): Program =>
  byVerb(
    STORE,
    each(
      list,
      reads({}, (call) => {
        call.connects();
        return OPAQUE;
      }),
    ),
    { alone: 'asks' },
  );

const KAFKA: Grammar = {
  flags:
    '--list --describe --version --help --members --verbose --state --offsets --all-groups --all-topics --under-replicated-partitions --unavailable-partitions --under-min-isr-partitions --at-min-isr-partitions --exclude-internal --topics-with-overrides --all',
  text: '--bootstrap-server --topic --group --timeout --entity-type --entity-name --entity-default --zookeeper --broker-list --topic-list --principal --resource-pattern-type',
  inside: '--command-config',
};
const kafka = known(KAFKA, (call, words) => {
  call.connects();
  if (!words.has('--list', '--describe', '--version', '--help') && !/api-versions|log-dirs/.test(call.name)) {
    call.level(3);
    call.ask(tell('changes what is stored', '会改动存储的内容'));
  }
  if (words.operands.length > 0) call.ask(tell('is not among the uses that are known', '不属于已知的用法'));
  return OPAQUE;
});

const dumps: Rule = (call, words) => {
  for (const file of words.values('-f')) call.writes(file, 'create');
  call.showsPrivate(tell('copies a whole database', '会复制整个数据库'));
  return OPAQUE;
};

export const databases: ProgramTable = {
  ...forEach('psql pgcli', sqlClient(psql)),
  ...forEach(
    'mysql mariadb mycli',
    sqlClient({
      grammar: {
        flags: `-N|--skip-column-names -B|--batch -s|--silent -t|--table -v|--verbose -r|--raw -E|--vertical -f|--force -q|--quick -H|--html -X|--xml -C|--compress -w|--wait -n|--unbuffered -A|--no-auto-rehash --no-defaults --no-beep --safe-updates|-U --show-warnings -V --ssl --skip-ssl --skip-pager --no-pager ${HELP}`,
        text: '-e|--execute -D|--database -h|--host -P|--port -u|--user --protocol --default-character-set --connect-timeout --ssl-mode --max-allowed-packet',
        glued: '-p|--password',
        inside: '-S|--socket --ssl-ca --ssl-cert --ssl-key',
        asks: '--local-infile --named-commands|-G --enable-cleartext-plugin',
        asksWith:
          '--defaults-file --defaults-extra-file --defaults-group-suffix --init-command --tee --pager --plugin-dir --default-auth --login-path --delimiter --prompt',
        operands: ['text'],
      },
      statements: ['-e'],
    }),
  ),
  ...forEach(
    'clickhouse-client clickhouse',
    sqlClient({
      grammar: {
        flags: `-m|--multiline -n|--multiquery -t|--time -s|--secure --stacktrace --vertical|-E --progress ${HELP}`,
        text: '-q|--query -h|--host --port -u|--user --password -d|--database --format|-f --max_threads --connect_timeout',
        asksWith: '--queries-file -C|--config-file --history_file --external --file --input_format',
      },
      statements: ['-q'],
    }),
  ),
  cqlsh: sqlClient({
    grammar: {
      flags: `--ssl --no-color -C ${HELP}`,
      text: '-e|--execute -k|--keyspace -u|--username -p|--password --connect-timeout --request-timeout --encoding',
      asksWith: '-f|--file --cqlshrc --credentials',
      operands: ['text'],
    },
    statements: ['-e'],
  }),
  sqlcmd: sqlClient({
    grammar: {
      flags: `-E -N -C -I -W -b -e ${HELP}`,
      text: '-Q -q -S -U -P -d -s -h -l -t -y -Y -w',
      asksWith: '-i -o -v',
    },
    statements: ['-Q', '-q'],
  }),
  influx: sqlClient({
    grammar: {
      style: 'word',
      flags: '-ssl -version -help -pretty',
      text: '-execute -database -host -port -username -password -format -precision',
      asksWith: '-import -path',
      asks: '--help --version',
    },
    statements: ['-execute'],
    looks: ['-version'],
  }),
  duckdb: sqlClient({
    grammar: {
      style: 'word',
      flags:
        '-csv -json -markdown -line -list -box -table -column -readonly -version -help -header -noheader -batch -bail',
      text: '-c -s -separator -nullvalue',
      asksWith: '-cmd -init -storage_version',
      asks: '-unsigned -interactive',
      operands: ['reads'],
    },
    statements: ['-c', '-s'],
    looks: ['-version'],
  }),
  ...forEach(
    'trino presto bigquery snowsql vsql isql cockroach',
    sqlClient({
      grammar: {
        flags: `--insecure --debug ${HELP}`,
        text: '-e|--execute -q|--query --server --catalog --schema --user -u -h|--host -p|--port -d|--database --format --output-format -w',
        asksWith: '-f|--file --config -o --certs-dir',
        operands: ['text'],
      },
      statements: ['-e', '-q'],
    }),
  ),
  ...forEach('sqlite3 sqlite', sqlite),
  ...forEach('redis-cli valkey-cli keydb-cli', redis),
  ...forEach('mongo mongosh', mongo),
  mysqladmin: byVerb(
    {
      flags: `-s|--silent -v|--verbose --vertical|-E ${HELP}`,
      text: '-h|--host -P|--port -u|--user -i|--sleep -c|--count --connect-timeout',
      glued: '-p|--password',
      inside: '-S|--socket',
      asksWith: '--defaults-file --defaults-extra-file',
    },
    each('status,ping,processlist,variables,extended-status,version', reads()),
  ),
  ...forEach(
    'dropdb dropuser createdb createuser pg_restore pg_ctl pg_resetwal initdb vacuumdb reindexdb mysqlimport mongorestore mongoimport pg_dropcluster pg_ctlcluster clusterdb',
    asks(tell('changes a database', '会改动数据库')),
  ),
  ...forEach(
    'pg_dump pg_dumpall mysqldump mongodump mongoexport',
    known(
      {
        flags:
          '-a|--data-only -s|--schema-only -c|--clean -C|--create -O|--no-owner -x|--no-privileges -v|--verbose -w|--no-password -W --single-transaction --quick --routines --triggers --events --gzip --all-databases -A --no-data --skip-lock-tables',
        text: '-d|--dbname -h|--host -p|--port -U|--username -n|--schema -t|--table -T|--exclude-table -F|--format -j|--jobs -Z|--compress -u|--user --db --collection -c --uri -q|--query --databases',
        writes: '-f|--file|--result-file -o|--out|--output|-r',
      },
      dumps,
    ),
  ),
  pg_isready: known({
    flags: `-q|--quiet ${HELP}`,
    text: '-d|--dbname -h|--host -p|--port -t|--timeout -U|--username',
    operands: ['none'],
  }),
  pgbench: asks(tell('puts load on a database', '会给数据库加压')),
  etcdctl: verbs(
    'get,member list,endpoint status,endpoint health,endpoint hashkv,version,alarm list,lease list,lease timetolive,role list,user list,ls',
  ),
  ...forEach(
    'zkCli.sh zkcli consul-kv',
    asks(tell('opens a session in which everything can be changed', '会打开一个什么都能改的会话')),
  ),
  ...forEach(
    'kafka-topics kafka-topics.sh kafka-consumer-groups kafka-consumer-groups.sh kafka-configs kafka-configs.sh kafka-acls kafka-acls.sh kafka-log-dirs kafka-log-dirs.sh kafka-broker-api-versions.sh kafka-broker-api-versions',
    kafka,
  ),
  ...forEach(
    'kcat kafkacat',
    known(
      {
        flags: '-L -C -Q -J -e -q -u -E -O',
        text: '-b -t -p -o -c -m -f -D -K -s -d -G',
        asks: '-P',
        asksWith: '-X -F -r -l',
        operands: ['text'],
      },
      (call) => {
        call.outward();
        return { ...OPAQUE, network: true };
      },
    ),
  ),
  ...forEach(
    'kafka-console-consumer kafka-console-consumer.sh',
    known(
      {
        flags: '--from-beginning --skip-message-on-error --version --help',
        text: '--bootstrap-server --topic --group --max-messages --partition --offset --timeout-ms --property --isolation-level',
        inside: '--consumer.config',
        asksWith: '--formatter --formatter-config --consumer-property',
      },
      (call) => {
        call.outward();
        return { ...OPAQUE, network: true };
      },
    ),
  ),
  ...forEach(
    'kafka-console-producer kafka-console-producer.sh kafka-delete-records kafka-delete-records.sh kafka-reassign-partitions.sh kafka-leader-election.sh',
    asks(tell('changes messages', '会改动消息')),
  ),
  ...forEach(
    'rabbitmqctl rabbitmq-diagnostics rabbitmqadmin',
    verbs(
      'list_*,list *,status,cluster_status,ping,check_*,environment,report,show *,node_health_check,server_version,memory_breakdown,alarms,listeners,version',
    ),
  ),
  nodetool: verbs(
    'status,info,tablestats,cfstats,ring,netstats,tpstats,compactionstats,describecluster,gossipinfo,proxyhistograms,tablehistograms,version,statusgossip,statusbinary,getlogginglevels,gcstats,getendpoints,failuredetector',
  ),
  'pulsar-admin': verbs(
    'topics list,topics stats,namespaces list,tenants list,clusters list,brokers list,subscriptions list',
  ),
  nats: verbs(
    'stream ls,stream info,stream report,consumer ls,consumer info,consumer report,server list,server info,server report *,account info,rtt,server ping',
  ),
};
