import { tell } from '#kit/text';
import { type Call, forEach, type Program, type ProgramTable } from '../call.ts';
import { OPAQUE } from '../feed.ts';
import { type Grammar, known, type Rule } from '../grammar.ts';
import { byVerb, each, needsAgreement, reads, runs, type Verbs } from '../verbs.ts';
import { mentionsHermes } from './rules.ts';

/** Every word that names keys, tokens or passwords, wherever it stands in a verb: `get-role-credentials`, `get-token`. */
const SECRET_WORD =
  /(?:^|-)(?:secrets?|credentials?|passwords?|tokens?|keys?|password-data|login|connection-strings?|decrypt|assume-role|session|parameters?|authorization|certificates?-with-key|private|kubeconfig)(?:-|$)/;

/** Looks, outside of this machine. A verb that names a secret shows it. */
const looks: Rule = (call, words) => {
  call.outward();
  const [verb] = verbWords(call);
  if (verb?.some((word) => SECRET_WORD.test(word)))
    call.showsPrivate(tell('may show credentials', '可能显示凭据'));
  for (const operand of words.operands) if (/^[/~.]/.test(operand.text)) call.reads(operand);
  return { ...OPAQUE, network: false };
};
/** The words that are no option and no value of one, as far as a verb can reach. */
const verbWords = (call: Call): string[][] => {
  const words = call.args.filter(({ text }) => /^[a-z][\w-]*$/i.test(text)).map(({ text }) => text);
  return [words.slice(0, 4)];
};

/** Every word that is no address of the cloud is a file that may go out. */
const sendsFiles: Rule = (call, words) => {
  call.outward({ sends: true });
  for (const operand of words.operands) if (!/^(?:s3|gs|https?):/.test(operand.text)) call.reads(operand);
  return OPAQUE;
};

const AWS: Grammar = {
  flags:
    '--no-paginate --no-cli-pager --no-sign-request --no-cli-auto-prompt --debug --human-readable --summarize --recursive --include-deprecated --no-follow --follow --include-all-instances --no-include-all-instances --consistent-read --ascending --descending',
  text: `--region --profile --output --query --color --cli-read-timeout --cli-connect-timeout --filters --filter --max-items --page-size --starting-token
    --max-results --instance-ids --instance-id --image-ids --volume-ids --snapshot-ids --vpc-ids --subnet-ids --group-ids --group-names
    --cluster --clusters --cluster-name --services --service --service-name --tasks --task --task-definition --container-instances --nodegroup-name
    --function-name --qualifier --log-group-name --log-group-names --log-stream-name --log-stream-names --log-stream-name-prefix --log-group-name-prefix
    --start-time --end-time --filter-pattern --limit --since --format --query-string --query-id --names --name --bucket --key --prefix --delimiter
    --db-instance-identifier --db-cluster-identifier --load-balancer-arns --load-balancer-arn --target-group-arn --target-group-arns --listener-arns --listener-arn
    --auto-scaling-group-names --stack-name --table-name --queue-url --topic-arn --namespace --metric-name --dimensions --statistics --period --unit
    --alarm-names --state-value --repository-name --repository-names --hosted-zone-id --role-name --user-name --policy-arn --version-id --distribution-id --id --ids
    --resource-arn --resource-id --resource-type --owners --event-pattern --rule --stage-name --rest-api-id --pipeline-name --build-ids --project-names
    --replication-group-id --cache-cluster-id --domain-name --certificate-arn --key-condition-expression --projection-expression --attribute-names --sort-by --sort-order`,
  asksWith:
    '--endpoint-url --ca-bundle --cli-binary-format --cli-input-json --cli-input-yaml --generate-cli-skeleton',
  asks: '--no-verify-ssl --with-decryption',
};
const AWS_VERBS: Verbs = {
  ...each(
    '* describe-*,* list-*,* get-*,* batch-get-*,* search-*,* lookup-*,* filter-*,* head-*,* scan-*,* wait,* validate-*,* estimate-*,* preview-*,* simulate-*,logs tail,s3 ls,sts get-caller-identity,configure list,configure list-profiles,configure get,cloudformation validate-template,ecs wait,ec2 wait,dynamodb query,dynamodb scan,history list,history show',
    reads(
      {
        flags: '--dry-run|!--no-dry-run',
        text: '--expression-attribute-values --expression-attribute-names --event-source --lookup-attributes',
      },
      looks,
    ),
  ),
  's3 cp': runs(
    {
      flags: '--recursive --quiet --no-progress --dryrun|!--no-dryrun --only-show-errors',
      text: '--exclude --include --storage-class',
    },
    (call, words) => {
      const [from, to] = words.operands;
      call.outward({ sends: true });
      if (from && !from.text.startsWith('s3:') && from.text !== '-') call.reads(from);
      const here = from?.text.startsWith('s3:') && to && !/^(?:s3:|-$)/.test(to.text);
      if (here) call.writes(to, 'create');
      else if (!words.has('--dryrun')) {
        call.level(3);
        call.ask(tell('changes something in the cloud', '会改动云上的资源'));
      }
      return OPAQUE;
    },
  ),
  ...each(
    's3 sync,s3 mv,s3 rm',
    runs(
      {
        flags:
          '--recursive --quiet --delete --no-progress --only-show-errors --exact-timestamps --size-only --dryrun|!--no-dryrun',
        text: '--exclude --include --storage-class --acl',
      },
      (call, words) => {
        call.outward({ sends: true });
        for (const operand of words.operands) if (!operand.text.startsWith('s3:')) call.reads(operand);
        if (!words.has('--dryrun')) {
          call.level(3);
          call.ask(tell('changes something in the cloud', '会改动云上的资源'));
        }
        return OPAQUE;
      },
    ),
  ),
  // Only EC2 has a dry run for everything; the last word about it counts.
  'ec2 *': runs(
    {
      flags: '--dry-run|!--no-dry-run',
      text: '--count --instance-type --security-group-ids --subnet-id --tag-specifications --resources --tags',
    },
    (call, words) => {
      call.outward();
      if (words.has('--dry-run')) return OPAQUE;
      call.level(3);
      call.ask(tell('changes something in the cloud', '会改动云上的资源'));
      return OPAQUE;
    },
  ),
  help: reads({}, (call) => {
    if (!call.piped)
      call.ask(tell('opens a page that can start other programs', '会打开能启动其他程序的页面'));
    return OPAQUE;
  }),
};

/**
 * Clouds whose verb comes behind one or two nouns. The nouns are written down: any word in their place would let a verb
 * stand for a noun, and a name for the verb.
 */
const behindNouns = (table: Readonly<Record<string, string>>, verbs: string): string =>
  Object.entries(table)
    .flatMap(([group, parts]) => parts.split(' ').map((part) => `${group} ${part}`.trim()))
    .flatMap((noun) => verbs.split(' ').map((verb) => `${noun} ${verb}`))
    .join(',');
const READ_VERBS = 'list describe show get status';

const GCLOUD_NOUNS: Readonly<Record<string, string>> = {
  compute:
    'instances disks snapshots images networks firewall-rules addresses forwarding-rules backend-services health-checks instance-groups instance-templates machine-types regions zones routers routes ssl-certificates target-pools url-maps operations project-info',
  container: 'clusters node-pools operations images',
  sql: 'instances databases backups operations users',
  run: 'services revisions jobs regions',
  pubsub: 'topics subscriptions snapshots',
  iam: 'roles service-accounts',
  logging: 'logs sinks metrics buckets',
  monitoring: 'dashboards policies channels',
  dns: 'managed-zones record-sets',
  storage: 'buckets objects',
  artifacts: 'repositories packages',
  redis: 'instances',
  spanner: 'instances databases',
  dataproc: 'clusters jobs',
  app: 'services versions instances',
  scheduler: 'jobs',
  tasks: 'queues',
  composer: 'environments',
  projects: '',
  functions: '',
  services: '',
  builds: '',
  organizations: '',
  folders: '',
  components: '',
};
const AZ_NOUNS: Readonly<Record<string, string>> = {
  network: 'nsg vnet lb public-ip nic application-gateway route-table dns vpn-gateway',
  'network dns': 'zone record-set',
  storage: 'account container blob',
  sql: 'server db',
  postgres: 'server flexible-server db',
  mysql: 'server flexible-server db',
  monitor: 'metrics activity-log alert log-profiles',
  ad: 'user sp app group',
  role: 'assignment definition',
  servicebus: 'namespace queue topic',
  eventhubs: 'namespace eventhub',
  appservice: 'plan',
  policy: 'assignment definition state',
  deployment: 'group sub',
  vm: '',
  vmss: '',
  aks: '',
  acr: '',
  group: '',
  webapp: '',
  functionapp: '',
  containerapp: '',
  container: '',
  cosmosdb: '',
  redis: '',
  keyvault: '',
  resource: '',
  disk: '',
  snapshot: '',
  image: '',
};

const GCLOUD: Grammar = {
  flags:
    '-q|--quiet --no-user-output-enabled --uri --show-nat-ip --internal-ip --all --no-paginate --recursive|-r',
  text: '--project --account --configuration --format --filter --limit --page-size --sort-by --region --zone --zones --regions --location --cluster --verbosity --freshness --order --bucket --instance --database --topic --subscription --dataset --secret --service --revision --version --namespace --resource-type --billing-project --trace-token',
  asksWith: '--impersonate-service-account --access-token-file --flags-file --configuration-file',
};
const GCLOUD_VERBS: Verbs = {
  ...each(
    `${behindNouns(GCLOUD_NOUNS, READ_VERBS)},info,version,logging read,logging tail,config list,config get-value,config get,auth list,projects list,topic,help,storage ls,storage cat,storage du`,
    reads({}, looks),
  ),
  ...each(
    'auth print-access-token,auth print-identity-token,secrets versions access,container clusters get-credentials',
    needsAgreement(tell('hands out credentials', '会交出凭据'), {}, (call) => {
      call.showsPrivate(tell('hands out credentials', '会交出凭据'));
      return OPAQUE;
    }),
  ),
};

const AZ: Grammar = {
  flags: '--only-show-errors --verbose --debug --all --show-details|-d --include-hidden',
  text: '-o|--output -g|--resource-group -n|--name --subscription|-s --query -l|--location --vault-name --account-name --container-name --ids --top --cluster-name --server|--server-name --workspace|-w --analytics-query --metric --metrics --interval --start-time --end-time --resource --namespace --nic-name --vnet-name --nsg-name --lb-name --filter --max-events',
};
const AZ_VERBS: Verbs = {
  ...each(
    `${behindNouns(AZ_NOUNS, 'list show get-instance-view list-sizes list-ip-addresses get-versions usage')},version,find,account list,account show,group exists`,
    reads({}, looks),
  ),
};

const OTHER: Grammar = {
  flags: '--json --quiet|-q --verbose|-v --no-header --all|-a --long|-l --help|-h',
  text: '-o|--output --format --region --project --app|-a --cluster --context --zone --limit --page --sort -n|--num',
};
const otherCloud = byVerb(
  OTHER,
  each(
    `list,ls,show,info,status,version,whoami,ps,logs`,
    reads({ flags: '-f|--follow', text: '--since --tail' }, looks),
  ),
);

const TERRAFORM: Grammar = { style: 'word', flags: '-help -version', inside: '-chdir' };
const PLAN: Grammar = {
  style: 'word',
  flags:
    '-no-color -input -lock -refresh -refresh-only -detailed-exitcode -destroy -compact-warnings -json -raw -upgrade -reconfigure -migrate-state -get -backend -verbose -recursive -diff -write -check -list',
  text: '-var -target -replace -parallelism -lock-timeout -type -filter -module-depth',
  reads: '-var-file -state',
  writes: '-out',
  asksWith: '-plugin-dir -from-module -backend-config -state-out -backup -generate-config-out -lockfile',
  booleans: true,
};
const TERRAFORM_VERBS: Verbs = {
  ...each('version,help,providers schema,metadata functions', reads(PLAN)),
  fmt: runs(PLAN, (call, words) => {
    if (words.has('-check')) return OPAQUE;
    for (const path of words.operands) call.writes(path, 'change');
    return OPAQUE;
  }),
  // They start the providers and programs that the project names.
  ...each(
    'init,plan,validate,show,output,providers,providers lock,providers mirror,graph,get,test,state list,state show,state pull,workspace list,workspace show',
    runs(PLAN, (call, words) => {
      for (const path of words.operands)
        if (/^[/~]|^\.\.\//.test(path.text))
          call.ask(tell('works outside of the working folder', '会在工作目录之外操作'));
      return OPAQUE;
    }),
  ),
  ...each(
    'apply,destroy,import,taint,untaint,refresh,force-unlock,console,login,logout,state,workspace',
    needsAgreement(tell('changes the infrastructure, or what is known of it', '会改动基础设施,或对它的记录')),
  ),
};

const PULUMI: Verbs = {
  ...each(
    'about,version,whoami,logs,stack,stack ls,stack history,stack output,config,config get,plugin ls,schema check',
    reads({
      flags: '-a|--all -j|--json -f|--follow --show-ids --show-urns',
      text: '-s|--stack --since -o|--output',
    }),
  ),
  preview: runs({
    flags: '--diff -j|--json --refresh --suppress-outputs --show-reads',
    text: '-s|--stack -t|--target -m|--message -p|--parallel',
  }),
};

const ANSIBLE: Grammar = {
  flags:
    '-v -vv -vvv -vvvv --verbose -C|--check|!--no-check -D|--diff -b|--become --syntax-check --list-hosts --list-tasks --list-tags --list --graph --yaml --flush-cache --force-handlers --version --nocolor --offline -q --progressive --show-relpath --strict',
  text: '-e|--extra-vars -l|--limit -t|--tags --skip-tags -u|--user --start-at-task -f|--forks -m|--module-name -a|--args --host -s --format -p -x|--exclude',
  inside: '-i|--inventory --playbook-dir -c|--config-file',
  asksWith:
    '-M|--module-path --private-key|--key-file --vault-id --vault-password-file --ssh-common-args --ssh-extra-args --sftp-extra-args --scp-extra-args --connection --become-method --become-user -T|--timeout',
  asks: '-k|--ask-pass -K|--ask-become-pass -J|--ask-vault-password --step',
};

const GH: Grammar = {
  flags:
    '--help --version --paginate --slurp -i|--include --silent --verbose --exit-status --watch --comments -c --draft --merged --all -a --patch --name-only --required --failed --log --log-failed --archived --fork --source --no-archived -d',
  text: '-R|--repo -q|--jq -t|--template --json -L|--limit -s|--state -A|--author --assignee --search -S -B|--base -H|--head -l|--label --branch|-b --workflow --event -u|--user --commit --created --job|-j --attempt --color --interval --visibility --topic --language --owner --sort --order --hostname --cache -p|--preview --milestone|-m --env|-e --app',
};
const GH_VERBS: Verbs = {
  ...each(
    'pr list,pr view,pr status,pr diff,pr checks,issue list,issue view,issue status,run list,run view,run watch,repo list,repo view,release list,release view,workflow list,workflow view,gist list,gist view,label list,cache list,ruleset list,ruleset view,project list,project view,org list,search issues,search prs,search repos,search code,search commits,status,version,help,secret list,variable list,auth status,ssh-key list,alias list,extension list,config get,config list,mr list,mr view,mr diff,ci list,ci view,ci status,attestation verify',
    reads({ asks: '-w|--web --show-token' }, (call, words) => {
      call.outward();
      if (words.has('--show-token')) call.showsPrivate(tell('shows a credential', '会显示凭据'));
      return { ...OPAQUE, network: true };
    }),
  ),
  api: reads(
    { text: '-X|--method -H|--header', data: '-f|--raw-field -F|--field', reads: '--input' },
    (call, words) => {
      call.outward();
      const method = words.value('-X')?.text.toUpperCase();
      const sends = words.has('-f', '-F', '--input');
      if (sends) call.outward({ sends: true });
      if (
        (method !== undefined && method !== 'GET') ||
        (method === undefined && sends) ||
        words.operands[0]?.text === 'graphql'
      ) {
        call.level(3);
        call.ask(tell('may change something on the server', '可能改动服务器上的内容'));
      }
      return { ...OPAQUE, network: true };
    },
  ),
  ...each(
    'auth,auth token,auth login,auth refresh,secret,secret set,variable set',
    needsAgreement(tell('handles credentials', '会处理凭据'), {}, (call) => {
      call.showsPrivate(tell('handles credentials', '会处理凭据'));
      return OPAQUE;
    }),
  ),
  ...each(
    'gist create,release upload,release create',
    needsAgreement(
      tell('sends files elsewhere', '会把文件发往别处'),
      {
        flags: '-p|--public --draft --prerelease --generate-notes --latest --clobber',
        text: '-t|--title -n|--notes -d|--desc --target',
        reads: '-F|--notes-file -f|--filename',
      },
      (call, words) => {
        call.outward({ sends: true });
        for (const file of words.operands) call.reads(file);
        return OPAQUE;
      },
    ),
  ),
};

const SECRETS: Program = (call) => {
  const words = call.args.map(({ text }) => text);
  const looksOnly =
    words.length > 0 &&
    words.every(
      (word) =>
        /^(?:status|version|--version|-version|--verify|--list-keys|--list-public-keys|--fingerprint|-format=json)$/.test(
          word,
        ) ||
        (/^--(?:verify|fingerprint)$/.test(words[0] ?? '') && !word.startsWith('-')),
    );
  if (looksOnly) return OPAQUE;
  call.showsPrivate(tell('handles secrets', '会处理密钥'));
  return words.some((word) => /^-(?:d|-decrypt)$/.test(word)) ? { ...OPAQUE, decoded: true } : OPAQUE;
};

/** What schedules and runs things: argocd, flux, nomad and their like, each with what it is known to look at. */
const LOOKS: Grammar = {
  flags:
    '--refresh --json -w|--wide --watch -A|--all-namespaces --no-color --grpc-web --verbose -verbose -json -short -no-color -detailed -stats -self --show-params --show-operation --no-headers --all -a --follow -f -h|--help',
  text: '-o|--output -n|--namespace -l|--selector -p|--project --context --tail --since --kind --name --level --container -c --group --resource-name --revision -region -namespace -t --timeout -filter --repo',
};
const JOB_VERBS: Readonly<Record<string, string>> = {
  argocd:
    'app list,app get,app diff,app history,app logs,app resources,app manifests,app wait,appset list,appset get,cluster list,cluster get,proj list,proj get,repo list,version,context,account get-user-info,account can-i',
  flux: 'get *,get * *,check,logs,events,stats,tree *,tree * *,trace,version,diff *,diff * *',
  nomad:
    'status,job status,job history,job inspect,job allocs,node status,alloc status,alloc logs,alloc fs,eval status,deployment status,deployment list,server members,agent-info,version,namespace list,job plan,job validate,volume status',
  consul:
    'members,info,version,catalog services,catalog nodes,catalog datacenters,operator raft list-peers,kv get,health service,monitor,validate,intention list',
  istioctl: 'version,proxy-status,ps,proxy-config *,pc *,analyze,describe *,x describe *,validate',
  linkerd:
    'version,check,viz stat,viz top,viz edges,viz routes,diagnostics proxy-metrics,multicluster gateways',
  velero:
    'version,backup get,backup describe,backup logs,restore get,restore describe,restore logs,schedule get,schedule describe,get *,describe *',
  cilium:
    'status,version,config view,connectivity status,hubble status,endpoint list,endpoint get,service list,bpf lb list,node list',
  calicoctl: 'get *,version,node status,ipam show',
  kops: 'get *,version,validate cluster',
  rancher: 'version,ps,context current,clusters ls,nodes ls,projects ls',
  pm2: 'list,ls,status,show,describe,info,logs,prettylist,jlist,version,id',
  spinnaker: 'version',
  forever: 'list,logs',
};
const jobs = (name: string, verbs: string): Program => {
  const program = byVerb(
    LOOKS,
    each(
      verbs,
      reads({}, (call, words) => {
        call.outward();
        if (name === 'consul' && words.operands.some(({ text }) => /secret|token|password|key$/i.test(text)))
          call.showsPrivate(tell('may show secrets', '可能显示密钥'));
        return OPAQUE;
      }),
    ),
  );
  return (call) => {
    const words = call.args.map(({ text }) => text);
    if (mentionsHermes(words) && words.some((word) => /^(?:stop|restart|delete|scale|kill)$/.test(word)))
      call.deny(tell('would end Hermes itself', '会结束 Hermes 自身'));
    return program(call);
  };
};
export const cloudPrograms: ProgramTable = {
  aws: byVerb(AWS, AWS_VERBS),
  gcloud: byVerb(GCLOUD, GCLOUD_VERBS),
  az: byVerb(AZ, AZ_VERBS),
  gsutil: byVerb(
    { flags: '-m -q' },
    {
      ...each('ls,du,stat,cat,version', reads({ flags: '-l -h -a -r -L -s' }, looks)),
      ...each(
        'cp,mv,rsync',
        needsAgreement(
          tell('copies to or from the cloud', '会与云互相复制'),
          { flags: '-r -R -n -d -z' },
          sendsFiles,
        ),
      ),
    },
  ),
  ...forEach(
    'bq doctl linode-cli hcloud scw oci ibmcloud aliyun tccli eksctl flyctl fly heroku vercel netlify wrangler railway render cf openstack exo civo s3cmd mc az-cli azcopy',
    otherCloud,
  ),
  ...forEach('terraform tofu terragrunt', byVerb(TERRAFORM, TERRAFORM_VERBS)),
  pulumi: byVerb(
    { flags: '--non-interactive --logtostderr', text: '--color', asksWith: '-C|--cwd --config-file' },
    PULUMI,
  ),
  ...forEach(
    'ansible-lint ansible-doc ansible-inventory ansible-config',
    known({ ...ANSIBLE, operands: ['reads'] }),
  ),
  ...forEach(
    'ansible ansible-playbook',
    known({ ...ANSIBLE, operands: ['reads'] }, (call, words) => {
      if (words.has('-C', '--syntax-check', '--list-hosts', '--list-tasks', '--list-tags', '--version'))
        call.level(2);
      else {
        call.level(3);
        call.ask(tell('changes other machines', '会改动其他机器'));
      }
      return OPAQUE;
    }),
  ),
  ...forEach('ansible-pull ansible-console ansible-galaxy ansible-vault', (call) => {
    call.level(3);
    call.ask(tell('changes other machines, or handles secrets', '会改动其他机器,或处理密钥'));
    return OPAQUE;
  }),
  ...forEach('gh glab hub', byVerb(GH, GH_VERBS)),
  ...forEach('vault op pass bw sops age gpg gpg2 lpass secret-tool security keyctl', SECRETS),
  ...Object.fromEntries(Object.entries(JOB_VERBS).map(([name, verbs]) => [name, jobs(name, verbs)])),
};
