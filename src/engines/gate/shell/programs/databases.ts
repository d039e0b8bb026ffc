import { literal, readOptions } from '../arg.ts';
import { type Call, forEach, type Program, type ProgramTable } from '../call.ts';
import { EMPTY, type Feed, OPAQUE } from '../feed.ts';
import { asks, careful } from './rules.ts';

/** Clients of databases: statements on the command line or on the input are looked at. */
const sqlClient =
  (
    valued: string,
    statements: readonly string[],
    files: readonly string[],
    outputs: readonly string[] = [],
  ): Program =>
  (call) => {
    careful(call);
    call.connects();
    const options = readOptions(call.args, valued);
    for (const name of statements)
      for (const statement of options.values(name)) call.runsCode('sql', statement);
    if (options.has(...files)) call.ask('runs statements from a file');
    for (const file of outputs.flatMap((name) => options.values(name))) {
      if (file.text.startsWith('|')) call.ask('runs another program');
      else call.writes(file, 'change');
    }
    if (options.has('--pager', '--local-infile', '--tee', '--plugin-dir', '--default-auth', '--init-command'))
      call.ask('runs more than its statements');
    if (options.has(...statements) || options.has('--version', '-V', '--help', '-l', '--list')) return OPAQUE;
    return fromInput(call, options.has(...files));
  };

function fromInput(call: Call, hasFile: boolean): Feed {
  if (call.stdin.text !== undefined && call.stdin !== EMPTY) call.runsCode('sql', literal(call.stdin.text));
  else if (!hasFile)
    call.ask(
      call.stdin === EMPTY
        ? 'opens a session that waits for statements'
        : 'runs statements that cannot be told beforehand',
    );
  return OPAQUE;
}

const sqlite: Program = (call) => {
  careful(call);
  const options = readOptions(
    call.args,
    '-cmd -init -separator -nullvalue -newline -vfs -mmap -maxsize -key',
  );
  for (const statement of options.values('-cmd')) call.runsCode('sql', statement);
  if (options.has('-init')) call.ask('runs statements from a file');
  const [file, ...statements] = options.operands;
  if (file) call.reads(file);
  for (const statement of statements) {
    if (file && !/^\s*(?:select|with|explain|pragma|\.)/i.test(statement.text)) call.writes(file, 'change');
    call.runsCode('sql', statement);
  }
  return statements.length > 0 || options.has('-version') ? OPAQUE : fromInput(call, false);
};

const REDIS_READS =
  /^(?:info|ping|get|mget|strlen|exists|ttl|pttl|type|keys|scan|hget|hgetall|hmget|hkeys|hvals|hlen|hscan|hexists|llen|lrange|lindex|scard|smembers|sismember|sscan|zrange\w*|zcard|zscore|zrank|zcount|zscan|dbsize|time|lastsave|echo|getrange|bitcount|randomkey|object|memory|slowlog|latency|client|command|cluster|role|xlen|xrange|xinfo|xpending|pubsub|dump|touch|acl|module|config|hello|select)$/i;
const REDIS_VERBS =
  /^(?:slowlog (?:get|len)|client (?:list|info|getname|id)|config get|cluster (?:info|nodes|slots|shards)|memory (?:usage|stats|doctor)|latency \w+|object \w+|command(?: \w+)?|acl (?:whoami|list|cat)|module list|xinfo \w+|pubsub \w+|latency reset)$/i;

const redis: Program = (call) => {
  careful(call);
  call.connects();
  const options = readOptions(
    call.args,
    'hpandruisxX --user --pass --sni --cacert --cert --key --pattern --eval --rdb --functions-rdb',
    true,
  );
  if (options.has('--eval', '--pipe', '--rdb', '--functions-rdb', '--cluster'))
    call.ask('runs a script, or copies the whole store');
  if (options.has('--scan', '--stat', '--bigkeys', '--memkeys', '--hotkeys', '--latency', '--version', '-v'))
    return OPAQUE;
  const [verb, second] = options.operands;
  if (!verb) {
    if (call.stdin === EMPTY) call.ask('opens a session that waits for commands');
    else call.ask('runs commands from its input');
    return OPAQUE;
  }
  const reads = verb.literal && REDIS_READS.test(verb.text);
  const grouped = /^(?:slowlog|client|config|cluster|memory|latency|object|acl|module|xinfo|pubsub)$/i.test(
    verb.text,
  );
  if (!reads || (grouped && !REDIS_VERBS.test(`${verb.text} ${second?.text ?? ''}`))) {
    call.level(3);
    call.ask(`does \`${verb.text}\`, which changes the store`);
  }
  return OPAQUE;
};

const MONGO_WRITES =
  /\b(?:drop\w*|delete\w*|remove\w*|insert\w*|update\w*|replace\w*|save|bulkWrite|findAndModify|findOneAnd\w+|create\w*|rename\w*|shutdown\w*|fsync\w*|run(?:Admin)?Command|adminCommand|copy\w*|clone\w*|convertToCapped|re[iI]ndex|grant\w*|revoke\w*|kill\w*|step\w*|rs\.(?:reconfig|add|remove|initiate|stepDown)|sh\.\w+|load|passwordPrompt|fs|require|process|child_process|Mongo|connect|eval|Function|mapReduce|\$out|\$merge|\$where|\$function|system|run|setProfilingLevel|setFeature\w*|watch|import)\b/;

const mongo: Program = (call) => {
  careful(call);
  call.connects();
  const options = readOptions(
    call.args,
    'fpuh --eval --file --host --port --username --password --authenticationDatabase --shell',
  );
  const codes = options.values('--eval');
  for (const code of codes)
    if (!code.literal || MONGO_WRITES.test(code.text)) {
      call.level(3);
      call.ask('changes data, or runs code that cannot be told beforehand');
    }
  if (
    codes.length === 0 ||
    options.has('-f', '--file', '--shell') ||
    options.operands.some(({ text }) => text.endsWith('.js'))
  )
    call.ask('runs code from a file or its input');
  return OPAQUE;
};

/** Stores with a verb on the command line. */
const byVerb =
  (reads: RegExp): Program =>
  (call) => {
    careful(call);
    const words = call.args.map(({ text }) => text);
    if (
      !words.some((word) => reads.test(word)) ||
      words.some((word) => WRITES.test(word)) ||
      call.args.some((arg) => !arg.literal && !arg.plain && !arg.whole)
    ) {
      call.level(3);
      call.ask('changes what is stored');
    }
    return OPAQUE;
  };
const WRITES =
  /^-{0,2}(?:delete\w*|del|drop\w*|purge\w*|remove\w*|rm|reset\w*|alter\w*|create\w*|put|set\w*|add\w*|to-earliest|to-latest|execute|truncate|clear\w*|stop\w*|forget\w*|flush\w*|restore|import|declare|publish|move|rotate\w*|write|destroy|leave|force-leave|defrag|compact|change\w*|delete-offsets|reset-offsets|delete-config|add-config)$/;

export const databases: ProgramTable = {
  ...forEach(
    'psql pgcli',
    sqlClient(
      'cdfhoLpUvPRTFW --command --dbname --file --host --output --log-file --port --username --set --variable --pset',
      ['-c', '--command'],
      ['-f', '--file'],
      ['-o', '--output', '-L', '--log-file'],
    ),
  ),
  ...forEach(
    'mysql mariadb mycli',
    sqlClient(
      'DehPuS --execute --database --host --port --user --password --socket --init-command --defaults-file --defaults-extra-file --tee --pager',
      ['-e', '--execute', '--init-command'],
      ['--defaults-file', '--defaults-extra-file'],
    ),
  ),
  ...forEach(
    'clickhouse-client clickhouse',
    sqlClient(
      'qhdu --query --host --port --user --password --database --queries-file',
      ['-q', '--query'],
      ['--queries-file'],
    ),
  ),
  ...forEach(
    'cqlsh',
    sqlClient(
      'efku --execute --file --keyspace --username --password',
      ['-e', '--execute'],
      ['-f', '--file'],
    ),
  ),
  ...forEach('sqlcmd', sqlClient('QqSUPdio', ['-Q', '-q'], ['-i'], ['-o'])),
  ...forEach(
    'influx',
    sqlClient(
      'h -execute -database -host -port -username -password -format -precision',
      ['-execute'],
      ['-import'],
    ),
  ),
  ...forEach('duckdb', sqlClient('cs -c -s -cmd -init', ['-c', '-s', '-cmd'], ['-init'])),
  ...forEach('trino presto bigquery snowsql vsql isql cockroach', (call) => {
    const options = readOptions(call.args, 'eqfo --execute --query --file');
    const found = options.values('-e', '-q', '--execute', '--query');
    for (const statement of found) call.runsCode('sql', statement);
    if (found.length === 0) call.ask('runs statements that cannot be told beforehand');
    return OPAQUE;
  }),
  ...forEach('sqlite3 sqlite', sqlite),
  ...forEach('redis-cli valkey-cli keydb-cli', redis),
  ...forEach('mongo mongosh', mongo),
  ...forEach(
    'dropdb dropuser createdb createuser pg_restore pg_ctl pg_resetwal initdb vacuumdb reindexdb mysqladmin mysqlimport mongorestore mongoimport pg_dropcluster pg_ctlcluster clusterdb',
    (call) => {
      if (
        call.name === 'mysqladmin' &&
        call.args.some(({ text }) =>
          /^(?:status|ping|processlist|variables|extended-status|version)$/.test(text),
        )
      )
        return OPAQUE;
      call.level(3);
      call.ask('changes a database');
      return OPAQUE;
    },
  ),
  ...forEach('pg_dump pg_dumpall mysqldump mongodump mongoexport', (call) => {
    const options = readOptions(
      call.args,
      'fdhpUntTo --file --dbname --host --port --username --table --result-file --out --db --collection',
    );
    for (const file of options.values('-f', '--file', '--result-file', '-o', '--out'))
      call.writes(file, 'create');
    call.showsPrivate('copies a whole database');
    return OPAQUE;
  }),
  pg_isready: () => OPAQUE,
  pgbench: asks('puts load on a database'),
  ...forEach(
    'etcdctl consul-kv zkCli.sh zkcli',
    byVerb(/^(?:get|member|endpoint|status|health|version|ls|stat|alarm|list)$/),
  ),
  ...forEach(
    'kafka-topics kafka-topics.sh kafka-consumer-groups kafka-consumer-groups.sh kafka-configs kafka-configs.sh kafka-acls kafka-acls.sh kafka-log-dirs.sh kafka-broker-api-versions.sh',
    byVerb(/^--(?:list|describe|version|help|bootstrap-server)$/),
  ),
  ...forEach('kcat kafkacat kafka-console-consumer kafka-console-consumer.sh', (call) => {
    call.outward();
    if (call.args.some(({ text }) => /^-[a-zA-Z]*P/.test(text))) call.ask('writes messages');
    return { ...OPAQUE, network: true };
  }),
  ...forEach(
    'kafka-console-producer kafka-console-producer.sh kafka-delete-records kafka-delete-records.sh kafka-reassign-partitions.sh',
    asks('changes messages'),
  ),
  ...forEach(
    'rabbitmqctl rabbitmqadmin rabbitmq-diagnostics nodetool pulsar-admin nats',
    byVerb(
      /^(?:list\w*|status|cluster_status|ping|info|tablestats|ring|show|check_\w+|environment|report|get|stats)$/,
    ),
  ),
};
