import { tell, type Text } from '#kit/text';
import type { Arg } from '../arg.ts';
import { type Call, forEach, type ProgramTable } from '../call.ts';
import { OPAQUE } from '../feed.ts';
import { applyGrammar, type Grammar, type Rule, type Words } from '../grammar.ts';
import { byVerb, each, needsAgreement, reads, runs, type Verbs } from '../verbs.ts';
import { resolvePath, zoneOf } from '../paths.ts';
import { asks, denies, mentionsHermes } from './rules.ts';

/** What starting a container takes. What opens a way out of it is judged apart. */
const RUN: Grammar = {
  flags:
    '-d|--detach -i|--interactive -t|--tty --rm --init --read-only --privileged --oom-kill-disable -P|--publish-all -q|--quiet --no-healthcheck --sig-proxy --replace --disable-content-trust',
  text: '-a|--attach --add-host --annotation --blkio-weight --cap-drop --cap-add --cpus --cpu-shares|-c --cpuset-cpus --cpu-period --cpu-quota --dns --dns-search --entrypoint -e|--env --expose --gpus --group-add --health-cmd --health-interval --health-retries --health-timeout -h|--hostname --ip --label|-l --link --log-driver --log-opt --mac-address -m|--memory --memory-swap --memory-reservation --mount --name --network|--net --network-alias --oom-score-adj --pid --ipc --uts --userns --cgroupns --pids-limit --platform -p|--publish --pull --restart --shm-size --stop-signal --stop-timeout --storage-opt --tmpfs --ulimit -u|--user -v|--volume -w|--workdir --device --isolation --domainname --cidfile',
  reads: '--env-file --label-file',
  asksWith:
    '--security-opt --device-cgroup-rule --sysctl --volumes-from --runtime --cgroup-parent --volume-driver --detach-keys',
  stopsEarly: true,
  booleans: true,
};
const EXEC: Grammar = {
  flags: '-d|--detach -i|--interactive -t|--tty --privileged -T|--no-TTY',
  text: '-e|--env -u|--user -w|--workdir --index',
  reads: '--env-file',
  asksWith: '--detach-keys',
  stopsEarly: true,
};

/** Options that open the way out of a container. */
function judgeRights(call: Call, options: Words): void {
  if (options.has('--privileged'))
    call.deny(tell('starts a container with all rights of the machine', '会以本机的全部权限启动容器'));
  for (const name of options.values('--cap-add')) {
    if (/ALL|SYS_ADMIN|SYS_PTRACE|SYS_MODULE|SYS_RAWIO|DAC_READ_SEARCH|BPF|SYS_BOOT/i.test(name.text))
      call.deny(tell(`gives a container the right ${name.text}`, `会给容器 ${name.text} 权限`));
    else call.ask(tell(`gives a container the right ${name.text}`, `会给容器 ${name.text} 权限`));
  }
  for (const space of options.values('--pid', '--ipc', '--uts', '--userns', '--cgroupns')) {
    if (space.text.startsWith('host'))
      call.deny(tell('lets a container reach the processes of the machine', '会让容器访问本机的进程'));
  }
  if (options.values('--network').some(({ text }) => text === 'host'))
    call.ask(tell('lets a container use the network of the machine', '会让容器使用本机网络'));
  for (const device of options.values('--device'))
    call.writes({ ...device, text: device.text.split(':')[0] ?? '' }, 'change');
  if (options.has('--oom-kill-disable'))
    call.ask(tell('loosens what holds a container', '会放松对容器的约束'));
  for (const volume of options.values('-v', '--volume'))
    judgeMount(call, volume, volume.text.replace(/^=/, '').split(':')[0] ?? '');
  for (const mount of options.values('--mount')) {
    const source = /(?:^|,)(?:source|src)=([^,]*)/.exec(mount.text)?.[1];
    if (source !== undefined) judgeMount(call, mount, source);
    if (/volume-opt/.test(mount.text)) call.ask(tell('mounts something of its own', '会自行挂载内容'));
  }
}

const HOST_SECRETS =
  /^\/(?:$|etc|root|home|proc|sys|dev|boot|usr|bin|lib|var\/run|run|var\/lib|var\/log|~)(?:\/|$)|docker\.sock|containerd\.sock|podman\.sock|crio\.sock/;

function judgeMount(call: Call, arg: Arg, source: string): void {
  // A name without a slash is a volume.
  if (arg.literal && /^[\w][\w.-]*$/.test(source)) return;
  if (!arg.literal && !arg.plain)
    return call.ask(
      tell('lets a container reach a place that cannot be told beforehand', '会让容器访问无法事先得知的位置'),
    );
  if (arg.plain && !/^\$\(pwd\)(?:\/|$)/.test(source))
    return call.ask(tell(`lets a container reach ${source}`, `会让容器访问 ${source}`));
  const full = resolvePath(source, call.ground);
  const zone = zoneOf(full, call.ground);
  if (zone === 'work') return;
  if (full !== undefined && (HOST_SECRETS.test(full) || zone === 'top'))
    call.deny(
      full === '/'
        ? tell('lets a container reach the whole machine', '会让容器访问整台机器')
        : tell(`lets a container reach ${source}`, `会让容器访问 ${source}`),
    );
  else if (zone === 'temp') call.level(2);
  else call.ask(tell(`lets a container reach ${source}`, `会让容器访问 ${source}`));
}

const DOCKER: Grammar = {
  flags: '-D|--debug --tls --tlsverify -v|--version --help',
  text: '-l|--log-level',
  asksWith:
    '-H|--host -c|--context --config --connection --url --tlscacert --tlscert --tlskey --root --runroot --storage-driver',
  asks: '-r|--remote',
};

const start: Rule = (call, words) => {
  judgeRights(call, words);
  const [, ...command] = words.operands;
  const entry = words.value('--entrypoint');
  const inner = entry ? [entry, ...command] : command;
  return inner.length > 0 ? call.runs(inner) : OPAQUE;
};
const enter: Rule = (call, words) => {
  if (words.has('--privileged'))
    call.deny(tell('starts a container with all rights of the machine', '会以本机的全部权限启动容器'));
  const [, ...command] = words.operands;
  return command.length > 0 ? call.runs(command) : OPAQUE;
};

/** Which containers it reaches must be known; Hermes itself is none of them. */
const handles: Rule = (call, words) => {
  if (mentionsHermes(words.operands.map(({ text }) => text)))
    call.deny(tell('would end Hermes itself', '会结束 Hermes 自身'));
  if (words.operands.some((arg) => !arg.literal && !arg.whole))
    call.ask(tell('reaches containers that cannot be told beforehand', '会触及无法事先得知的容器'));
  return OPAQUE;
};
const asksAbout = (why: Text) =>
  needsAgreement(
    why,
    { flags: '-f|--force -a|--all -v|--volumes -l|--link', text: '-s|--signal -t|--time --filter' },
    handles,
  );

const inspects: Rule = (call, words) => {
  const format = words.value('-f')?.text ?? '';
  if (/Config(?:\.Env)?\b|\.Env\b/.test(format))
    call.showsPrivate(tell('shows the environment of a container', '会显示容器的环境变量'));
  return OPAQUE;
};

const BUILD: Grammar = {
  flags:
    '-q|--quiet --no-cache --pull --rm --force-rm --squash --compress --load --provenance --sbom --no-rm --layers',
  text: '-t|--tag --build-arg --target --platform --label --cache-from --cache-to --progress --add-host -m|--memory --memory-swap --cpu-shares|-c --cpuset-cpus --shm-size --ulimit --builder --isolation --format --annotation --attest --no-cache-filter --call',
  glued: '--pull --provenance --sbom',
  inside: '-f|--file --build-context',
};
const build: Rule = (call, words) => {
  call.level(2);
  if (words.value('--network')?.text === 'host')
    call.ask(tell('gives the build the network of the machine', '会让构建使用本机网络'));
  for (const file of words.values('-o', '--iidfile', '--metadata-file'))
    if (!file.text.startsWith('type=')) call.writes(file, 'create');
  for (const context of words.operands) {
    if (/^(?:https?:|git@|git:|ssh:|github\.com)/.test(context.text))
      call.ask(tell('builds what comes from another machine', '会构建来自另一台机器的内容'));
    else if (context.text === '-' && call.stdin.network)
      call.ask(tell('builds what comes from another machine', '会构建来自另一台机器的内容'));
    else if (context.text !== '-') call.reads(context);
  }
  return OPAQUE;
};
const BUILDS = runs(
  {
    ...BUILD,
    text: `${BUILD.text} --network -o|--output --iidfile --metadata-file`,
    asks: '--push',
    asksWith: '--allow --ssh --secret --security-opt --cgroup-parent --cert-dir --authfile --volume|-v',
  },
  build,
);

const LISTS: Grammar = {
  flags:
    '-a|--all -q|--quiet --no-trunc -s|--size -l|--latest --digests --tree --noheading --no-stream -v|--verbose --human|-H --follow -t|--timestamps --details --stream --summary --services',
  text: '--filter --format --last --since --until --tail --sort --limit --type -n',
};
const READ: Grammar = { ...LISTS, flags: `${LISTS.flags} -f`, text: `${LISTS.text}` };

const COMPOSE: Grammar = {
  flags: '--all-resources --compatibility --dry-run|!--no-dry-run --verbose --no-ansi',
  text: '-p|--project-name --profile --ansi --parallel --progress',
  inside: '-f|--file --project-directory',
  reads: '--env-file',
  booleans: true,
};
const COMPOSE_VERBS: Verbs = {
  ...each(
    'ps,ls,images,top,port,version,events,stats,volumes',
    reads({
      flags: '-a|--all -q|--quiet --services --orphans --no-trunc --short --json --no-stream',
      text: '--filter --format --status --protocol --index -f',
    }),
  ),
  logs: reads({
    flags: '-f|--follow -t|--timestamps --no-color --no-log-prefix',
    text: '-n|--tail --since --until --index',
  }),
  ...each(
    'config,convert',
    reads(
      {
        flags:
          '-q|--quiet --services --volumes --images --profiles --networks --no-interpolate --no-normalize --resolve-image-digests --variables',
        text: '--format --hash',
        writes: '-o|--output',
        asks: '--environment',
      },
      (call, words) => {
        if (words.has('--environment')) call.showsPrivate(tell('prints the environment', '会打印环境变量'));
        return OPAQUE;
      },
    ),
  ),
  up: runs(
    {
      flags:
        '-d|--detach --build --no-build --force-recreate --no-recreate --always-recreate-deps --no-deps --no-start --no-log-prefix --abort-on-container-exit --attach-dependencies --quiet-pull --remove-orphans --wait --timestamps --no-color -w|--watch --menu -y|--yes',
      text: '-t|--timeout --scale --pull --attach --no-attach --exit-code-from --wait-timeout',
      asks: '-V|--renew-anon-volumes',
    },
    handles,
  ),
  down: runs(
    { flags: '--remove-orphans', text: '-t|--timeout', asks: '-v|--volumes', asksWith: '--rmi' },
    handles,
  ),
  ...each(
    'build,pull,start,stop,restart,create,pause,unpause,watch',
    runs(
      {
        flags:
          '--no-cache --pull -q|--quiet --no-deps --include-deps --ignore-pull-failures --parallel --with-dependencies --no-rm --build --no-build --force-recreate',
        text: '-t|--timeout --build-arg -m|--memory --progress --policy',
      },
      handles,
    ),
  ),
  exec: runs(EXEC, enter),
  run: runs(
    { ...RUN, flags: `${RUN.flags} --no-deps --build --remove-orphans --service-ports --use-aliases -T` },
    start,
  ),
  ...each('rm,kill,push,cp,publish,commit,export', asksAbout(tell('changes containers', '会改动容器'))),
};
const compose = byVerb(COMPOSE, COMPOSE_VERBS);

const OBJECTS: Verbs = {
  ...each(
    'ps,ls,list,images,stats,top,version,info,port,diff,history,search,events,df,wait,container ls,container list,container ps,container stats,container top,container port,container diff,image ls,image list,image history,volume ls,volume list,network ls,network list,system df,system info,system events,context ls,context show,builder du,buildx ls,buildx du,buildx version,buildx inspect,node ls,service ls,service ps,stack ls,stack ps,stack services,secret ls,config ls,plugin ls,pod ps,pod ls,machine list,machine info',
    reads(READ),
  ),
  ...each(
    'logs,container logs,service logs',
    reads({
      flags: '-f|--follow -t|--timestamps --details --no-trunc --raw --no-resolve',
      text: '-n|--tail --since --until',
    }),
  ),
  ...each(
    'inspect,container inspect,image inspect,volume inspect,network inspect,node inspect,service inspect,context inspect,system inspect,pod inspect',
    reads({ flags: '-s|--size --pretty', text: '-f|--format --type --platform' }, inspects),
  ),
  ...each(
    'start,stop,restart,pause,unpause,container start,container stop,container restart',
    runs({ flags: '-a|--attach -i|--interactive', text: '-t|--time|--timeout -s|--signal' }, handles),
  ),
  ...each(
    'pull,image pull',
    runs({ flags: '-a|--all-tags -q|--quiet --disable-content-trust', text: '--platform' }),
  ),
  ...each('tag,image tag', runs({})),
  ...each('run,create,container run,container create', runs(RUN, start)),
  ...each('exec,container exec', runs(EXEC, enter)),
  ...each('build,buildx build,image build,bake,buildx bake', BUILDS),
  ...each(
    'rm,rmi,kill,prune,push,login,logout,cp,commit,export,save,import,load,update,rename,attach,container rm,container kill,container prune,image rm,image prune,volume rm,volume prune,volume create,network rm,network create,network prune,system prune',
    asksAbout(tell('changes containers or images', '会改动容器或镜像')),
  ),
};

const DOCKER_CLI = byVerb(DOCKER, OBJECTS, { apart: true });
const LOW_LEVEL = byVerb(
  { flags: '-D|--debug', text: '-n|--namespace' },
  each(
    'ps,images,pods,logs,inspect,inspecti,inspectp,info,version,stats,list,ls',
    reads({
      flags: '-a|--all -q|--quiet -v|--verbose --no-trunc',
      text: '-o|--output --name --state --tail',
    }),
  ),
  { alone: 'asks' },
);

export const containers: ProgramTable = {
  ...forEach('docker podman nerdctl', (call) => {
    const at = call.args.findIndex(({ text }) => !text.startsWith('-'));
    if (call.args[at]?.text !== 'compose') return DOCKER_CLI(call);
    applyGrammar(call, call.args.slice(0, at), DOCKER);
    return call.as('docker-compose', call.args.slice(at + 1));
  }),
  ...forEach('docker-compose podman-compose', compose),
  ...forEach('crictl ctr runc crun lxc lxc-attach machinectl buildah skopeo', (call) => {
    if (call.args.some(({ text }) => /^--?privileged$/.test(text) || /security\.privileged=true/.test(text)))
      call.deny(tell('starts a container with all rights of the machine', '会以本机的全部权限启动容器'));
    return LOW_LEVEL(call);
  }),
  ...forEach('mount umount losetup swapon swapoff pivot_root switch_root', (call) => {
    if (call.args.length === 0 || call.args.every(({ text }) => /^-(?:l|a|v|-list|-all|-show|V)$/.test(text)))
      return OPAQUE;
    if (call.args.some(({ text }) => /^\/dev\/|^cgroup|^overlay|^\/proc\/|^--bind$|^\/$/.test(text)))
      call.deny(tell('opens file systems of the machine', '会打开本机的文件系统'));
    else call.ask(tell('changes what is mounted', '会改动挂载'));
    return OPAQUE;
  }),
  ...forEach('capsh', asks(tell('changes rights', '会改动权利'))),
  ...forEach('insmod modprobe rmmod kexec', denies(tell('changes the kernel', '会改动内核'))),
};
