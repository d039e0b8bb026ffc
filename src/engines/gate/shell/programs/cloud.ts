import { type Arg, readOptions } from '../arg.ts';
import { type Call, forEach, type Program, type ProgramTable } from '../call.ts';
import { OPAQUE } from '../feed.ts';
import { bySubcommand, careful, mentionsHermes } from './rules.ts';

const READING =
  /^(?:list|ls|describe|show|get|status|view|info|read|head|search|validate|version|export-template|diff|history|lookup|ps|logs|tail|wait|estimate|preview|whoami)(?:-[\w-]+)?$/;
const SECRET_VERBS =
  /^(?:get-secret-value|batch-get-secret-value|get-session-token|get-federation-token|assume-role(?:-[\w-]+)?|get-login-password|get-login|get-authorization-token|get-password-data|get-credentials(?:-[\w-]+)?|print-access-token|print-identity-token|get-access-token|export-credentials|get-parameters?(?:-by-path)?|list-keys|list-access-keys|keys|connection-string|get-random-password|decrypt)$/;

/** Command lines of clouds: the verb tells. Words before it name the service. */
const cloud =
  (valued: string): Program =>
  (call) => {
    careful(call);
    call.outward();
    const options = readOptions(call.args, valued);
    const words = options.operands.filter((arg) => !/^(?:s3:|gs:|arn:|https?:)/.test(arg.text));
    if (options.has('--endpoint-url', '--impersonate-service-account', '--cli-binary-format'))
      call.ask('talks to another place than usual, or as somebody else');
    if (words.some(({ text }) => SECRET_VERBS.test(text))) call.showsPrivate('hands out credentials');
    if (
      words.some(({ text }) =>
        /^(?:credentials?|keys|access-?keys?|passwords?|tokens?|connection-strings?|admin-key|query-key)$/.test(
          text,
        ),
      )
    )
      call.showsPrivate('shows credentials');
    if (words.length === 0) return OPAQUE;
    for (const path of words.filter(({ text }) => /^[~./]|^\$/.test(text))) call.reads(path);
    call.outward({ sends: words.some(({ text }) => /^(?:cp|sync|mv|put|upload|rsync|copy)/.test(text)) });
    if (fetchesFile(call, options.operands)) return OPAQUE;
    const tries =
      options.flags.has('--dryrun') || (options.flags.has('--dry-run') && words[0]?.text === 'ec2');
    if (tries) return OPAQUE;
    const verb = verbOf(call, words);
    if (!verb || !READING.test(verb)) {
      call.level(3);
      call.ask('changes something in the cloud');
    }
    return { ...OPAQUE, network: false };
  };

/** `aws s3 cp s3://bucket/key here`: a copy into the working folder. */
function fetchesFile(call: Call, operands: readonly Arg[]): boolean {
  const [service, verb, from, to] = operands;
  if (
    service?.text !== 's3' ||
    verb?.text !== 'cp' ||
    !from?.text.startsWith('s3:') ||
    !to ||
    /^(?:s3:|-)/.test(to.text)
  )
    return false;
  call.writes(to, 'create');
  return true;
}

/** Services whose secrets are read with an ordinary verb. */
function verbOf(call: Call, words: readonly Arg[]): string | undefined {
  const texts = words.map(({ text }) => text);
  if (
    texts.some((text) => /^(?:secrets?|secretsmanager|keyvault|kms)$/.test(text)) &&
    texts.some((text) => /^(?:get|show|access|versions|decrypt|download)$/.test(text))
  )
    call.showsPrivate('shows secrets');
  if (call.name === 'aws') {
    if (texts[0] === 's3') return texts[1];
    if (texts[0] === 'configure' && /secret|token|key/.test(texts[2] ?? ''))
      call.showsPrivate('shows credentials');
    if (texts[0] === 'configure') return /^(?:list|get)$/.test(texts[1] ?? '') ? 'list' : undefined;
    return texts[1];
  }
  if (texts[0] === 'config' || texts[0] === 'auth' || texts[0] === 'account' || texts[0] === 'login') {
    return /^(?:list|get-value|list-locations|show)$/.test(texts[1] ?? '') ? 'list' : undefined;
  }
  if (/^(?:--version|version|info)$/.test(texts[0] ?? '')) return 'version';
  return texts.find((text, at) => at > 0 && (READING.test(text) || DESTRUCTIVE.test(text))) ?? texts.at(-1);
}
const DESTRUCTIVE =
  /^(?:delete|remove|rm|create|update|set|add|stop|start|terminate|destroy|purge|reset|restart|deploy|apply|import|patch|resize|scale|attach|detach|disable|enable|promote|failover|rollback|drain|ssh|scp|invoke|run|push|cp|mv|rsync|sync|mb|rb|put|up|down|kill|submit|execute|rotate|grant|revoke|link|unlink|login|logout|call|connect|exec)(?:-[\w-]+)?$/;

const terraform: Program = (call) => {
  careful(call);
  const options = readOptions(
    call.args,
    '-chdir -var -var-file -out -target -state -backend-config -plugin-dir',
    false,
  );
  const [sub, verb] = options.operands;
  if (!sub) return OPAQUE;
  if (options.has('-plugin-dir', '-from-module')) call.ask('takes programs from elsewhere');
  for (const flag of call.args)
    if (/^-{1,2}(?:from-module|plugin-dir|backend-config)/.test(flag.text))
      call.ask('takes programs or its state from elsewhere');
  for (const out of call.args.filter(({ text }) => /^-{1,2}out=/.test(text)))
    call.writes({ ...out, text: out.text.replace(/^-+out=/, '') }, 'create');
  if (/^(?:state|workspace)$/.test(sub.text)) {
    if (!/^(?:list|show|pull)$/.test(verb?.text ?? '')) {
      call.level(3);
      call.ask('changes what is known of the infrastructure');
    }
    return OPAQUE;
  }
  bySubcommand(call, [sub], {
    reads: 'fmt version help',
    // They start the providers and programs that the project names.
    runs: 'init plan validate show output providers graph get metadata test',
    asks: 'apply destroy import taint untaint refresh force-unlock console login',
  });
  if (sub.text === 'fmt' && !options.has('-check', '--check')) call.level(2);
  return OPAQUE;
};

const pulumi: Program = (call) => {
  bySubcommand(call, readOptions(call.args, 's --stack').operands, {
    reads: 'preview about version whoami logs stack',
  });
  return OPAQUE;
};

const ansible: Program = (call) => {
  const check = call.args.some(({ text }) =>
    /^(?:--check|-C|--syntax-check|--list-hosts|--list-tasks|--version)$/.test(text),
  );
  if (/^ansible-(?:lint|doc|inventory|config)$/.test(call.name)) return OPAQUE;
  if (!check) {
    call.level(3);
    call.ask('changes other machines');
  }
  return OPAQUE;
};

const gh: Program = (call) => {
  careful(call);
  call.outward();
  const options = readOptions(
    call.args,
    'RXfFHqtBbHLjwsaIl --repo --method --field --raw-field --header --input --jq --template --json --limit --state --author --search --branch --workflow',
  );
  const [group, verb] = options.operands;
  if (!group || options.flags.has('--version')) return OPAQUE;
  if (group.text === 'auth') {
    if (verb?.text === 'status' && !options.has('--show-token', '-t')) return OPAQUE;
    call.showsPrivate('handles credentials');
    return OPAQUE;
  }
  if (group.text === 'gist' || group.text === 'release') {
    for (const file of options.operands.slice(2)) call.reads(file);
    call.outward({ sends: true });
  }
  if (group.text === 'api') {
    const method = options.values('-X', '--method')[0]?.text.toUpperCase();
    if (
      (method && method !== 'GET') ||
      (!method && options.has('-f', '-F', '--field', '--raw-field', '--input')) ||
      verb?.text === 'graphql'
    )
      call.ask('may change something on the server');
    return { ...OPAQUE, network: true };
  }
  if (
    !/^(?:list|view|status|diff|checks|watch|browse|search|ls|show|get)$/.test(verb?.text ?? '') &&
    !/^(?:status|search|browse|help|version)$/.test(group.text)
  ) {
    call.level(3);
    call.ask('changes something on the server');
  }
  if (/^(?:secret|variable)$/.test(group.text) && verb?.text !== 'list') call.showsPrivate('handles secrets');
  return { ...OPAQUE, network: true };
};

/** Stores of secrets and settings. */
const vault: Program = (call) => {
  const words = readOptions(call.args, '').operands.map(({ text }) => text);
  if (/^(?:status|version)$/.test(words[0] ?? '')) return OPAQUE;
  if (
    /^(?:read|kv|list|get|show|item|print|token|unwrap|-d|--decrypt|decrypt)$/.test(words[0] ?? '') ||
    call.args.some(({ text }) => /^(?:-d|--decrypt)$/.test(text))
  )
    call.showsPrivate('shows secrets');
  if (
    !/^(?:read|list|get|show|status)$/.test(words[0] ?? '') &&
    !(words[0] === 'kv' && /^(?:get|list)$/.test(words[1] ?? ''))
  )
    call.ask('changes secrets');
  return OPAQUE;
};

const jobs: Program = (call) => {
  const words = readOptions(call.args, '').operands.map(({ text }) => text);
  if (mentionsHermes(words) && words.some((word) => /^(?:stop|restart|delete|scale|kill)$/.test(word)))
    call.deny('would end Hermes itself');
  if (!words.slice(0, 3).some((word) => READING.test(word)) && words.length > 0) {
    call.level(3);
    call.ask('changes something that runs');
  }
  return OPAQUE;
};

export const cloudPrograms: ProgramTable = {
  aws: cloud(
    '--region --profile --output --query --filters --endpoint-url --max-items --instance-ids --log-group-name --start-time --end-time --filter-pattern --cluster --services --function-name --name --names --bucket --key',
  ),
  gcloud: cloud(
    '--project --format --filter --region --zone --limit --account --cluster --impersonate-service-account',
  ),
  az: cloud('ognsl --output --resource-group --name --subscription --query --location --vault-name'),
  ...forEach(
    'gsutil bq doctl linode-cli hcloud scw oci ibmcloud aliyun tccli eksctl flyctl fly heroku vercel netlify wrangler railway render cf openstack exo civo s3cmd mc az-cli azcopy',
    cloud('-o --output --format --region --project --app --cluster'),
  ),
  ...forEach('terraform tofu terragrunt', terraform),
  pulumi,
  ...forEach(
    'ansible ansible-playbook ansible-pull ansible-console ansible-galaxy ansible-vault ansible-lint ansible-doc ansible-inventory ansible-config',
    ansible,
  ),
  ...forEach('gh glab hub', gh),
  ...forEach('vault op pass bw sops age gpg gpg2 lpass secret-tool security keyctl', (call) => {
    if (
      /^gpg2?$/.test(call.name) &&
      call.args.every(
        ({ text }) =>
          /^--(?:verify|list-keys|version|fingerprint|list-public-keys)$/.test(text) || !text.startsWith('-'),
      )
    )
      return OPAQUE;
    vault(call);
    return call.args.some(({ text }) => /^-(?:d|-decrypt)$/.test(text))
      ? { ...OPAQUE, decoded: true }
      : OPAQUE;
  }),
  ...forEach(
    'nomad consul argocd flux istioctl linkerd velero spinnaker pm2 forever cilium calicoctl kops rancher',
    jobs,
  ),
};
