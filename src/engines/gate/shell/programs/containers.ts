import { type Arg, readOptions } from '../arg.ts';
import { type Call, forEach, type Program, type ProgramTable } from '../call.ts';
import { type Feed, OPAQUE } from '../feed.ts';
import { resolvePath, zoneOf } from '../paths.ts';
import { asks, bySubcommand, careful, denies, mentionsHermes } from './rules.ts';

const RUN =
  'aceghlmpuvw --add-host --annotation --attach --blkio-weight --cap-add --cap-drop --cgroupns --cgroup-parent --cidfile --cpus --cpuset-cpus --device --device-cgroup-rule --dns --entrypoint --env --env-file --expose --gpus --group-add --health-cmd --hostname --ip --ipc --isolation --label --label-file --link --log-driver --log-opt --mac-address --memory --memory-swap --mount --name --network --net --network-alias --oom-score-adj --pid --pids-limit --platform --publish --pull --restart --runtime --security-opt --shm-size --stop-signal --storage-opt --sysctl --tmpfs --ulimit --user --userns --uts --volume --volume-driver --volumes-from --workdir';

/** Options of `run`, `create` and `exec` that open the way out of a container. */
function judgeRights(call: Call, options: ReturnType<typeof readOptions>): void {
  if (options.has('--privileged')) call.deny('starts a container with all rights of the machine');
  for (const name of options.values('--cap-add')) {
    if (/ALL|SYS_ADMIN|SYS_PTRACE|SYS_MODULE|SYS_RAWIO|DAC_READ_SEARCH|BPF|SYS_BOOT/i.test(name.text))
      call.deny(`gives a container the right ${name.text}`);
    else call.ask(`gives a container the right ${name.text}`);
  }
  for (const space of options.values('--pid', '--ipc', '--uts', '--userns', '--cgroupns')) {
    if (space.text.startsWith('host')) call.deny('lets a container reach the processes of the machine');
  }
  if (options.values('--network', '--net').some(({ text }) => text === 'host'))
    call.ask('lets a container use the network of the machine');
  for (const device of options.values('--device'))
    call.writes({ ...device, text: device.text.split(':')[0] ?? '' }, 'change');
  if (
    options.has(
      '--security-opt',
      '--device-cgroup-rule',
      '--sysctl',
      '--volumes-from',
      '--runtime',
      '--cgroup-parent',
      '--oom-kill-disable',
      '--volume-driver',
    )
  )
    call.ask('loosens what holds a container');
  for (const file of options.values('--env-file')) call.reads(file);
  for (const volume of options.values('-v', '--volume'))
    judgeMount(call, volume, volume.text.replace(/^=/, '').split(':')[0] ?? '');
  for (const mount of options.values('--mount')) {
    const source = /(?:^|,)(?:source|src)=([^,]*)/.exec(mount.text)?.[1];
    if (source !== undefined) judgeMount(call, mount, source);
    if (/volume-opt/.test(mount.text)) call.ask('mounts something of its own');
  }
}

const HOST_SECRETS =
  /^\/(?:$|etc|root|home|proc|sys|dev|boot|usr|bin|lib|var\/run|run|var\/lib|var\/log|~)(?:\/|$)|docker\.sock|containerd\.sock|podman\.sock|crio\.sock/;

function judgeMount(call: Call, arg: Arg, source: string): void {
  // A name without a slash is a volume.
  if (arg.literal && /^[\w][\w.-]*$/.test(source)) return;
  if (!arg.literal && !arg.plain)
    return call.ask('lets a container reach a place that cannot be told beforehand');
  if (arg.plain && !/^\$\(pwd\)(?:\/|$)/.test(source)) return call.ask(`lets a container reach ${source}`);
  const full = resolvePath(source, call.ground);
  const zone = zoneOf(full, call.ground);
  if (zone === 'work') return;
  if (full !== undefined && (HOST_SECRETS.test(full) || zone === 'top'))
    call.deny(`lets a container reach ${full === '/' ? 'the whole machine' : source}`);
  else if (zone === 'temp') call.level(2);
  else call.ask(`lets a container reach ${source}`);
}

function runsInside(call: Call, words: readonly Arg[], entry: Arg | undefined): Feed {
  const inner = entry ? [entry, ...words] : words;
  if (inner.length === 0) return OPAQUE;
  return call.runs(inner);
}

const docker: Program = (call) => {
  careful(call);
  const options = readOptions(
    call.args,
    'cHlf --config --context --host --log-level --tlscacert --tlscert --tlskey --connection --url',
    true,
  );
  if (options.has('-H', '--host', '--context', '-c', '--config', '--connection', '--url', '--remote'))
    call.ask('drives containers of another machine, or takes settings from elsewhere');
  const [group, ...all] = options.operands;
  const grouped = /^(?:container|image)$/.test(group?.text ?? '') && all.length > 0;
  const [sub, ...rest] = grouped ? all : options.operands;
  if (!sub) return OPAQUE;
  const word = sub.text;
  if (
    /^(?:stop|kill|rm|restart|pause|down|update|rename)$/.test(word) &&
    mentionsHermes(rest.map(({ text }) => text))
  )
    call.deny('would end Hermes itself');
  if (word === 'compose') return compose(call, rest);
  if (word === 'run' || word === 'create') return run(call, rest);
  if (word === 'exec') return exec(call, rest);
  if (word === 'build' || word === 'buildx' || word === 'bake') return build(call, rest);
  if (
    /^(?:volume|network|system|context|manifest|builder|plugin|secret|config|node|service|stack|swarm|trust|checkpoint|machine|pod|play|generate)$/.test(
      word,
    )
  ) {
    const verb = rest[0]?.text ?? '';
    if (!/^(?:ls|list|inspect|df|info|events|ps|logs|show|top|stats|exists)$/.test(verb)) {
      call.level(3);
      call.ask(`does \`${word} ${verb}\`, which needs agreement`);
    }
    return OPAQUE;
  }
  bySubcommand(call, [sub], {
    reads:
      'ps ls list images logs inspect stats top version info port diff history search events df wait help --version',
    runs: 'pull start stop restart pause unpause tag',
    asks: 'rm rmi kill prune push login logout cp commit export save import load update rename attach',
  });
  if (word === 'inspect' && rest.some(({ text }) => /Config(?:\.Env)?\b|\.Env\b/.test(text)))
    call.showsPrivate('shows the environment of a container');
  if (/^(?:start|stop|restart|pause|unpause)$/.test(word) && rest.some((arg) => !arg.literal && !arg.whole))
    call.ask('reaches containers that cannot be told beforehand');
  return OPAQUE;
};

function run(call: Call, args: readonly Arg[]): Feed {
  call.level(2);
  const options = readOptions(args, RUN, true);
  judgeRights(call, options);
  const [, ...command] = options.operands;
  return runsInside(call, command, options.values('--entrypoint')[0]);
}

function exec(call: Call, args: readonly Arg[]): Feed {
  call.level(2);
  const options = readOptions(args, 'euw --env --env-file --user --workdir --detach-keys --index', true);
  judgeRights(call, options);
  const [, ...command] = options.operands;
  return runsInside(call, command, undefined);
}

function build(call: Call, args: readonly Arg[]): Feed {
  const options = readOptions(
    args,
    'ftomc --file --tag --output --build-arg --secret --ssh --target --platform --network --iidfile --metadata-file --label --cache-from --cache-to --allow --progress --security-opt --add-host --builder --build-context',
  );
  call.level(2);
  if (
    options.has('--push', '--allow', '--ssh', '--secret', '--security-opt') ||
    options.values('--network').some(({ text }) => text === 'host')
  )
    call.ask('publishes the image, or gives its build more rights');
  for (const file of options.values('-o', '--output', '--iidfile', '--metadata-file'))
    if (!file.text.startsWith('type=')) call.writes(file, 'create');
  for (const context of options.operands) {
    if (/^(?:https?:|git@|git:|github\.com)/.test(context.text))
      call.ask('builds what comes from another machine');
    else if (context.text === '-' && call.stdin.network) call.ask('builds what comes from another machine');
  }
  return OPAQUE;
}

function compose(call: Call, args: readonly Arg[]): Feed {
  const options = readOptions(
    args,
    'fp --file --project-name --profile --env-file --project-directory --ansi --parallel',
    true,
  );
  for (const file of options.values('-f', '--file', '--project-directory'))
    if (file.text !== '-' && /^[/~]|\.\./.test(file.text))
      call.ask('takes its services from outside of the working folder');
  const [sub, ...rest] = options.operands;
  if (!sub) return OPAQUE;
  if (sub.text === 'exec') return exec(call, rest);
  if (sub.text === 'run') return run(call, rest);
  const inner = readOptions(rest, 't --timeout --scale --tail');
  bySubcommand(call, [sub], {
    reads: 'ps logs config images top port version ls events stats help --version',
    runs: 'up build pull start stop restart down create pause unpause watch',
    asks: 'rm kill push cp',
  });
  if (inner.has('-v', '--volumes', '--rmi') && sub.text === 'down') call.ask('deletes volumes or images');
  if (inner.has('-V', '--renew-anon-volumes') && sub.text === 'up') call.ask('deletes volumes');
  if (sub.text === 'config' && inner.has('--environment')) call.showsPrivate('prints the environment');
  return OPAQUE;
}

const KUBECTL =
  'nfslocLwk --namespace --filename --selector --output --container --context --kubeconfig --cluster --user --token --server --field-selector --sort-by --since --since-time --tail --template --as --as-group --cache-dir --certificate-authority --client-key --replicas --image --timeout --for --raw --kustomize --patch --type --subresource --max-log-requests --request-timeout --v';

const kubectl: Program = (call) => {
  careful(call);
  const split = call.args.findIndex(({ text }) => text === '--');
  const options = readOptions(split < 0 ? call.args : call.args.slice(0, split), KUBECTL);
  const inner = split < 0 ? [] : call.args.slice(split + 1);
  const [sub, ...rest] = options.operands;
  if (!sub) return OPAQUE;
  const words = rest.map(({ text }) => text);
  if (
    /^host(?:PID|Network|IPC)|"?privileged"?\s*:\s*true|hostPath/i.test(
      call.args.map(({ text }) => text).join(' '),
    ) ||
    call.args.some(({ text }) =>
      /host(?:PID|IPC)"?\s*:\s*true|"?privileged"?\s*:\s*true|"?hostPath"?\s*:/.test(text),
    )
  ) {
    call.deny('starts a container with the rights of the machine');
  }
  if (options.values('--dry-run').some(({ text }) => /^(?:client|server)$/.test(text))) return OPAQUE;
  if (/^(?:delete|scale|rollout|patch|edit|drain)$/.test(sub.text) && mentionsHermes(words))
    call.deny('would end Hermes itself');
  if (sub.text === 'exec') {
    call.level(2);
    if (inner.length === 0) call.ask('opens a shell in a container');
    return inner.length > 0 ? call.runs(inner, { elsewhere: true }) : OPAQUE;
  }
  if (sub.text === 'get' && options.has('--raw')) call.ask('asks the cluster directly');
  const secret = words.some(
    (word) => /^secrets?(?:\/|$|\.)/.test(word) || /(?:^|,)secrets?(?:,|$)/.test(word),
  );
  if (
    sub.text === 'get' &&
    secret &&
    options.values('-o', '--output', '--template').some(({ text }) => !/^(?:name|wide)$/.test(text))
  )
    call.showsPrivate('shows secrets of the cluster');
  if (sub.text === 'config') {
    if (!/^(?:view|get-contexts|current-context|get-clusters|get-users)$/.test(words[0] ?? ''))
      call.ask('changes which cluster is used');
    else if (options.has('--raw')) call.showsPrivate('shows credentials of the cluster');
    return OPAQUE;
  }
  if (sub.text === 'rollout') {
    if (!/^(?:status|history)$/.test(words[0] ?? '')) {
      call.level(3);
      call.ask('changes what runs in the cluster');
    }
    return OPAQUE;
  }
  if (sub.text === 'auth' && !/^(?:can-i|whoami)$/.test(words[0] ?? '')) call.ask('changes rights');
  bySubcommand(call, [sub], {
    reads:
      'get describe logs top version explain api-resources api-versions cluster-info diff wait events auth options help completion kustomize',
    asks: 'delete apply create replace patch edit scale autoscale drain cordon uncordon taint label annotate set expose run attach cp port-forward proxy debug certificate plugin',
  });
  return { ...OPAQUE };
};

const helm: Program = (call) => {
  careful(call);
  const options = readOptions(
    call.args,
    'nfo --namespace --values --set --set-string --set-file --output --kube-context --kubeconfig --version --repo --post-renderer --revision --max --filter --timeout --output-dir',
  );
  const [sub, verb] = options.operands;
  if (!sub) return OPAQUE;
  if (options.has('--post-renderer')) call.ask('runs another program');
  for (const folder of options.values('--output-dir')) call.writes(folder, 'create');
  if (options.has('--dry-run') && !options.has('--post-renderer')) return OPAQUE;
  if (/^(?:repo|plugin|registry|dependency|dep)$/.test(sub.text)) {
    if (!/^(?:list|ls|update|build)$/.test(verb?.text ?? '')) call.ask('changes where charts come from');
    return OPAQUE;
  }
  if (sub.text === 'get' && /^(?:values|all|manifest)$/.test(verb?.text ?? '')) call.level(0);
  bySubcommand(call, [sub], {
    reads: 'list ls status history hist get template lint show inspect search version env verify diff help',
    runs: 'package pull',
    asks: 'install upgrade uninstall delete rollback test push create',
  });
  return OPAQUE;
};

export const containers: ProgramTable = {
  ...forEach('docker podman nerdctl', docker),
  ...forEach('docker-compose podman-compose', (call) => compose(call, call.args)),
  ...forEach('kubectl oc k3s-kubectl', kubectl),
  helm,
  ...forEach('crictl ctr runc crun lxc lxc-attach machinectl buildah skopeo', (call) => {
    if (!/^(?:ps|images|pods|logs|inspect\w*|info|version|stats|list|ls)$/.test(call.args[0]?.text ?? ''))
      call.ask('changes containers');
    if (call.args.some(({ text }) => /^--?privileged$/.test(text) || /security\.privileged=true/.test(text)))
      call.deny('starts a container with all rights of the machine');
    return OPAQUE;
  }),
  ...forEach('minikube kind k3d k3s kubeadm kustomize k9s stern kubectx kubens', (call) => {
    if (
      !/^(?:status|version|build|list|ls|get|profile|ip|service|logs)$/.test(call.args[0]?.text ?? '') &&
      call.name !== 'stern'
    )
      call.ask('changes a cluster');
    return OPAQUE;
  }),
  ...forEach('mount umount losetup swapon swapoff pivot_root switch_root', (call) => {
    if (call.args.length === 0 || call.args.every(({ text }) => /^-(?:l|a|v|-list|-all|-show|V)$/.test(text)))
      return OPAQUE;
    if (call.args.some(({ text }) => /^\/dev\/|^cgroup|^overlay|^\/proc\/|^--bind$|^\/$/.test(text)))
      call.deny('opens file systems of the machine');
    else call.ask('changes what is mounted');
    return OPAQUE;
  }),
  ...forEach('capsh', asks('changes rights')),
  ...forEach('insmod modprobe rmmod kexec', denies('changes the kernel')),
};
