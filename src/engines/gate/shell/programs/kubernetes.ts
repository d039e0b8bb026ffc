import { tell } from '#kit/text';
import { type Call, forEach, type Program, type ProgramTable } from '../call.ts';
import { OPAQUE } from '../feed.ts';
import { type Grammar, known, type Rule, type Words } from '../grammar.ts';
import { byVerb, each, needsAgreement, reads, runs, type Verbs } from '../verbs.ts';
import { mentionsHermes } from './rules.ts';

const KUBE: Grammar = {
  flags: '--match-server-version --insecure-skip-tls-verify --warnings-as-errors --help|-h',
  text: '-n|--namespace --context --cluster --user --as --as-group --as-uid --request-timeout -v|--v --vmodule --log-flush-frequency --tls-server-name',
  inside:
    '--kubeconfig --cache-dir --certificate-authority --client-certificate --client-key --profile-output',
  asksWith: '--token --server|-s --password --username --profile',
  booleans: true,
};

/** What everything that prints objects takes. */
const PRINTS: Grammar = {
  flags:
    '-A|--all-namespaces --show-labels --no-headers --show-managed-fields --ignore-not-found -R|--recursive --show-kind --server-print -w|--watch --watch-only --output-watch-events --allow-missing-template-keys',
  text: '-o|--output -l|--selector --field-selector --sort-by -L|--label-columns --template --chunk-size --subresource',
  reads: '-f|--filename',
  inside: '-k|--kustomize',
};
const plus = (one: Grammar, other: Grammar): Grammar => ({
  ...one,
  ...other,
  flags: `${one.flags ?? ''} ${other.flags ?? ''}`,
  text: `${one.text ?? ''} ${other.text ?? ''}`,
});

/** Kinds of objects that hold secrets, whatever the case and however they are qualified: `Secrets.v1.`, `secret/x`. */
const SECRET_KIND = /(?:^|,)secrets?(?:\.[\w.-]*)?(?:[/,]|$)/i;
const PLAIN_OUTPUT = /^(?:name|wide)$/;

const gets: Rule = (call, words) => {
  judgeRights(call);
  const secret = words.operands.some(({ text }) => SECRET_KIND.test(text));
  const output = words.value('-o')?.text;
  if (secret && ((output !== undefined && !PLAIN_OUTPUT.test(output)) || words.has('--template')))
    call.showsPrivate(tell('shows secrets of the cluster', '会显示集群的密钥'));
  return OPAQUE;
};

function judgeRights(call: Call): void {
  const text = call.args.map((arg) => arg.text).join(' ');
  if (/host(?:PID|IPC|Network)"?\s*:\s*true|"?privileged"?\s*:\s*true|"?hostPath"?\s*:/i.test(text))
    call.deny(tell('starts a container with the rights of the machine', '会以本机的权限启动容器'));
}

/** Only `client` and `server` try; the last one counts. */
const isTried = (words: Words): boolean => /^(?:client|server)$/.test(words.value('--dry-run')?.text ?? '');

/** Changes the cluster, unless it is only tried. */
const changesCluster: Rule = (call, words) => {
  judgeRights(call);
  if (mentionsHermes(words.operands.map(({ text }) => text)))
    call.deny(tell('would end Hermes itself', '会结束 Hermes 自身'));
  if (!isTried(words)) {
    call.level(3);
    call.ask(tell('changes what runs in the cluster', '会改动集群中运行的内容'));
  }
  return OPAQUE;
};
const CHANGE: Grammar = {
  flags:
    '--all --force --wait --now --recursive|-R --ignore-not-found -A|--all-namespaces --record --overwrite --server-side --force-conflicts --prune --validate --save-config --local --list --show-managed-fields --allow-missing-template-keys --cascade --ignore-daemonsets --delete-emptydir-data --disable-eviction --restart --quiet|-q --rm -i|--stdin -t|--tty --expose --attach --leave-stdin-open --no-headers',
  text: '-o|--output -l|--selector --field-selector --replicas --current-replicas --resource-version --timeout --grace-period --image --min --max --cpu-percent --type -p|--patch --field-manager --port --target-port --name --protocol --env --labels --overrides --override-type --subresource --to-revision --pod-selector --skip-wait-for-delete-timeout --chunk-size --template --restart-policy --pod-running-timeout -c|--container --annotations --revision --raw --prune-allowlist',
  glued: '--dry-run --cascade --validate',
  reads: '-f|--filename --patch-file --from-file --from-env-file',
  inside: '-k|--kustomize',
};
const change = runs(CHANGE, changesCluster);

const KUBECTL: Verbs = {
  get: reads(plus(PRINTS, { asksWith: '--raw' }), gets),
  describe: reads({ ...PRINTS, flags: `${PRINTS.flags} --show-events` }, gets),
  events: reads(plus(PRINTS, { text: '--for --types' })),
  logs: reads({
    flags:
      '-f|--follow -p|--previous --timestamps --all-containers --prefix --ignore-errors --insecure-skip-tls-verify-backend',
    text: '-c|--container -l|--selector --tail --since --since-time --limit-bytes --max-log-requests --pod-running-timeout',
  }),
  ...each(
    'top,top pod,top pods,top po,top node,top nodes,top no',
    reads({
      flags: '--containers -A|--all-namespaces --no-headers --sum --use-protocol-buffers',
      text: '-l|--selector --sort-by --field-selector',
    }),
  ),
  ...each(
    'version,cluster-info,api-resources,api-versions,options,completion,help,kuberc view',
    reads({
      flags: '--client --short --namespaced --no-headers --cached --verbs-all',
      text: '-o|--output --api-group --verbs --sort-by --categories',
    }),
  ),
  explain: reads({ flags: '--recursive', text: '--api-version -o|--output' }),
  diff: reads({
    flags: '-R|--recursive --server-side --force-conflicts --prune --show-managed-fields',
    text: '-l|--selector --field-manager --concurrency',
    reads: '-f|--filename',
    inside: '-k|--kustomize',
  }),
  wait: reads({
    flags: '--all -A|--all-namespaces -R|--recursive',
    text: '--for --timeout -l|--selector --field-selector -o|--output',
    reads: '-f|--filename',
  }),
  kustomize: reads(
    {
      flags: '--load-restrictor-none --enable-helm-not',
      text: '--reorder',
      asks: '--enable-alpha-plugins --enable-exec --enable-helm --enable-managedby-label --enable-star --network',
      asksWith: '--helm-command --load-restrictor --mount --env|-e --network-name --as-current-user',
    },
    (call, words) => {
      for (const folder of words.operands)
        if (!call.isInside(folder))
          call.ask(tell('builds from outside of the working folder', '会用工作目录之外的内容构建'));
      return OPAQUE;
    },
  ),
  ...each(
    'rollout status,rollout history',
    reads({
      flags: '-w|--watch -R|--recursive',
      text: '--revision --timeout -l|--selector -o|--output --template',
      reads: '-f|--filename',
    }),
  ),
  ...each(
    'auth can-i,auth whoami',
    reads({ flags: '--list --no-headers -q|--quiet -A|--all-namespaces', text: '--subresource -o|--output' }),
  ),
  ...each(
    'config current-context,config get-contexts,config get-clusters,config get-users',
    reads({ flags: '--no-headers', text: '-o|--output' }),
  ),
  'config view': reads(
    { flags: '--minify --flatten --merge', text: '-o|--output --template', asks: '--raw' },
    (call, words) => {
      if (words.has('--raw')) call.showsPrivate(tell('shows credentials of the cluster', '会显示集群的凭据'));
      return OPAQUE;
    },
  ),
  exec: runs(
    {
      flags: '-i|--stdin -t|--tty -q|--quiet -it -ti',
      text: '-c|--container --pod-running-timeout',
      reads: '-f|--filename',
    },
    (call, words) => {
      const split = call.args.findIndex(({ text }) => text === '--');
      const inner = split < 0 ? words.operands.slice(1) : call.args.slice(split + 1);
      if (inner.length === 0) call.ask(tell('opens a shell in a container', '会在容器中打开 shell'));
      return inner.length > 0 ? call.runs(inner, { elsewhere: true }) : OPAQUE;
    },
  ),
  ...each(
    `delete,apply,create,replace,patch,scale,autoscale,drain,cordon,uncordon,taint,label,annotate,expose,run,
     rollout restart,rollout undo,rollout pause,rollout resume,
     set image,set resources,set env,set selector,set serviceaccount,set subject,
     create deployment,create configmap,create secret,create namespace,create job,create cronjob,create service,create role,
     create rolebinding,create clusterrole,create clusterrolebinding,create serviceaccount,create ingress,create quota`,
    change,
  ),
  ...each(
    'edit,attach,cp,port-forward,proxy,debug,certificate,plugin,auth reconcile,alpha',
    needsAgreement(tell('reaches into the cluster', '会进入集群内部')),
  ),
  config: needsAgreement(tell('changes which cluster is used', '会切换所用的集群')),
  rollout: needsAgreement(tell('changes what runs in the cluster', '会改动集群中运行的内容')),
};

const HELM: Grammar = {
  flags: '--debug --kube-insecure-skip-tls-verify -h|--help',
  text: '-n|--namespace --kube-context --kube-as-user --burst-limit --qps --kube-as-group',
  inside: '--kubeconfig --registry-config --repository-cache --repository-config --kube-ca-file',
  asksWith: '--kube-apiserver --kube-token --kube-tls-server-name',
  booleans: true,
};
const VALUES: Grammar = {
  flags:
    '--atomic --cleanup-on-fail --create-namespace --dependency-update --devel --disable-openapi-validation --force --include-crds --skip-crds --no-hooks --replace --reset-values --reuse-values --reset-then-reuse-values --wait --wait-for-jobs --install|-i --is-upgrade --validate --skip-tests --verify --render-subchart-notes --hide-notes --hide-secret --enable-dns --pass-credentials --generate-name|-g --keep-history --ignore-not-found --take-ownership --skip-schema-validation --strict --with-subcharts --quiet --logs',
  text: '--set --set-string --set-json --set-literal --version --repo --name-template --description --timeout --history-max --api-versions|-a --kube-version -s|--show-only -o|--output --cascade --release-name -l|--labels --filter',
  glued: '--dry-run',
  reads: '-f|--values --set-file',
  inside: '--output-dir --keyring --ca-file',
  runs: '--post-renderer',
  asksWith: '--post-renderer-args --username --password --key-file --cert-file',
  asks: '--insecure-skip-tls-verify --plain-http',
};
const chart: Rule = (call, words) => {
  if (words.operands.some(({ text }) => /^(?:[a-z+]+:\/\/|oci:)/.test(text))) call.outward();
  for (const operand of words.operands) if (/^[/~]|^\.\.\//.test(operand.text)) call.reads(operand);
  return OPAQUE;
};
const changesRelease: Rule = (call, words) => {
  const tried =
    words.has('--dry-run') && /^(?:|client|server|true)$/.test(words.value('--dry-run')?.text ?? '');
  if (!tried) {
    call.level(3);
    call.ask(tell('changes what runs in the cluster', '会改动集群中运行的内容'));
  }
  return chart(call, words);
};

const HELM_VERBS: Verbs = {
  ...each(
    'list,ls',
    reads({
      flags:
        '-a|--all -A|--all-namespaces -d|--date --deployed --failed --no-headers --pending -r|--reverse -q|--short --superseded --uninstalled --uninstalling',
      text: '-f|--filter -m|--max --offset -o|--output -l|--selector --time-format',
    }),
  ),
  ...each(
    'status,history,hist,version,env,get all,get hooks,get manifest,get notes,get values,get metadata',
    reads({
      flags: '-a|--all --show-desc --show-resources --short',
      text: '--revision -o|--output --max --template',
    }),
  ),
  ...each(
    'search repo,search hub',
    reads({
      flags: '-l|--versions --devel -r|--regexp --fail-on-no-result --list-repo-url',
      text: '--version -o|--output --max-col-width --endpoint',
    }),
  ),
  ...each(
    'show all,show chart,show values,show readme,show crds,inspect,inspect values',
    reads(
      { flags: '--devel --verify', text: '--version --repo --jsonpath', inside: '--ca-file --keyring' },
      chart,
    ),
  ),
  ...each('template,lint', reads(VALUES, chart)),
  ...each(
    'repo list,repo ls,dependency list,dep list,plugin list',
    reads({ text: '-o|--output --max-col-width' }),
  ),
  ...each(
    'repo update,dependency update,dependency build,dep update,dep build',
    runs({ flags: '--skip-refresh --verify --fail-on-repo-update-fail', inside: '--keyring' }, chart),
  ),
  ...each(
    'diff upgrade,diff revision,diff release,diff rollback',
    reads(
      {
        ...VALUES,
        text: `${VALUES.text} -C|--context`,
        flags: `${VALUES.flags} --detailed-exitcode --no-color --three-way-merge --allow-unreleased`,
      },
      chart,
    ),
  ),
  package: runs(
    {
      flags: '-u|--dependency-update',
      text: '--version --app-version',
      inside: '-d|--destination',
      asks: '--sign',
      asksWith: '--key --keyring --passphrase-file',
    },
    chart,
  ),
  ...each(
    'pull,fetch',
    runs(
      {
        flags: '--untar --devel --verify --prov',
        text: '--version --repo',
        inside: '-d|--destination --untardir',
        asksWith: '--username --password',
      },
      chart,
    ),
  ),
  ...each('install,upgrade,uninstall,delete,rollback', runs(VALUES, changesRelease)),
  ...each(
    'test,push,create,repo add,repo remove,plugin install,plugin update,plugin uninstall,registry login,registry logout,verify',
    needsAgreement(tell('changes a release, or where charts come from', '会改动发布,或 chart 的来源')),
  ),
};

/** Ends Hermes itself, or somebody else's work: what the verb is does not matter for that. */
const guarded =
  (program: Program): Program =>
  (call) => {
    judgeRights(call);
    return program(call);
  };

const looksAt = (names: string, grammar: Grammar = {}) => each(names, reads(grammar));

export const kubernetes: ProgramTable = {
  ...forEach('kubectl oc k3s-kubectl', guarded(byVerb(KUBE, KUBECTL))),
  helm: byVerb(HELM, HELM_VERBS),
  stern: known({
    flags: '-A|--all-namespaces -t|--timestamps --no-follow -i',
    text: '-n|--namespace -c|--container -l|--selector -s|--since --tail -e|--exclude -o|--output --color --context --include',
    inside: '--kubeconfig --config --template-file',
    booleans: true,
    operands: ['text'],
  }),
  kustomize: byVerb(
    { flags: '-h|--help' },
    {
      build: reads(
        {
          text: '--reorder',
          asks: '--enable-alpha-plugins --enable-exec --enable-helm --enable-star --network --as-current-user',
          asksWith: '--helm-command --load-restrictor -e|--env --mount -o|--output',
        },
        (call, words) => {
          for (const folder of words.operands)
            if (!call.isInside(folder))
              call.ask(tell('builds from outside of the working folder', '会用工作目录之外的内容构建'));
          return OPAQUE;
        },
      ),
      ...looksAt('version'),
    },
  ),
  ...forEach('kubectx kubens', (call) => {
    const looks =
      call.args.length === 0 ? call.piped : call.args.every(({ text }) => /^(?:-c|--current)$/.test(text));
    if (!looks) call.ask(tell('changes which cluster is used', '会切换所用的集群'));
    return OPAQUE;
  }),
  minikube: byVerb(
    { text: '-p|--profile -o|--output' },
    looksAt('status,version,ip,profile list,addons list,logs', { flags: '-f|--follow', text: '-n|--length' }),
  ),
  kind: byVerb(
    { flags: '-q|--quiet', text: '--name -v' },
    looksAt('version,get clusters,get nodes', { flags: '-A|--all-clusters' }),
  ),
  k3d: byVerb(
    { flags: '--verbose' },
    looksAt('version,cluster list,cluster ls,node list', { text: '-o|--output', flags: '--no-headers' }),
  ),
};
