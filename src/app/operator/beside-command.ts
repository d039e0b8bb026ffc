import type { Language } from '#kit/language';
import { programOf } from '#kit/shell-form';
import type { OperatorPlan } from '#spec/ports';
import { machinePlan } from './machine-plan.ts';
import type { Slots } from './slots.ts';

interface Command {
  readonly program: string;
  readonly line: string;
  readonly words: readonly string[];
}

type Reading = readonly [id: string, slots: Slots];

const PORT = /(?:[:=\s]|^)(\d{2,5})(?=\s|$|['"|)])/;
/** What a line is narrowed to: `grep java`, `pgrep -f nginx`. */
const SOUGHT = /\b(?:e|f)?grep\s+(?:-\S+\s+)*["']?\[?(?<word>[A-Za-z][\w.-]*)/;

const portIn = ({ line }: Command): number | undefined => {
  const port = Number(PORT.exec(line)?.[1]);
  return port > 0 && port <= 65_535 ? port : undefined;
};
const ports = (command: Command): Reading => {
  const port = portIn(command);
  return port === undefined ? ['ports', {}] : ['port', { port }];
};
const processes = ({ line, program, words }: Command): Reading => {
  const sought = SOUGHT.exec(line)?.groups?.['word'];
  const named = /^(?:pgrep|pidof|pkill)$/.test(program)
    ? words.find((word) => !word.startsWith('-'))
    : sought;
  return named
    ? ['service', { unit: named.toLowerCase() }]
    : [/mem|rss/.test(line) ? 'top-memory' : 'top-cpu', {}];
};
const pathIn = ({ words }: Command): Slots => {
  const path = words.find((word) => word.startsWith('/'));
  return path === undefined ? {} : { path };
};
const unitOf = ({ words }: Command): string | undefined => {
  const at = words.findIndex((word) => word === '-u' || word === '--unit');
  return at >= 0 ? words[at + 1] : words.find((word) => word.startsWith('--unit='))?.slice('--unit='.length);
};

/** What a program would read on the machine, and cannot see in a sandbox. */
const READ_BY: Readonly<Record<string, (command: Command) => Reading | undefined>> = {
  ss: ports,
  netstat: ports,
  lsof: (command) => (/\s-\w*i/.test(command.line) ? ports(command) : ['open-files', {}]),
  ps: processes,
  top: processes,
  htop: processes,
  pgrep: processes,
  pidof: processes,
  who: () => ['sessions', {}],
  w: () => ['sessions', {}],
  last: () => ['logins', {}],
  docker: ({ words }) => (/^(?:ps|container)$/.test(words[0] ?? '') ? ['containers', {}] : undefined),
  podman: ({ words }) => (/^(?:ps|container)$/.test(words[0] ?? '') ? ['containers', {}] : undefined),
  crictl: () => ['containers', {}],
  systemctl: ({ words, line }) => {
    const unit = words.slice(1).find((word) => !word.startsWith('-'));
    if (/^(?:status|is-active|show)$/.test(words[0] ?? '') && unit) return ['service', { unit }];
    return /failed/.test(line)
      ? ['failed-units', {}]
      : /^(?:list-units|status)$/.test(words[0] ?? '')
        ? ['services', {}]
        : undefined;
  },
  journalctl: (command) => {
    const unit = unitOf(command);
    return unit ? ['unit-log', { unit }] : [command.words.includes('-k') ? 'kernel-log' : 'errors', {}];
  },
  dmesg: () => ['kernel-log', {}],
  ip: ({ words }) => [words[0]?.startsWith('r') ? 'routes' : 'addresses', {}],
  ifconfig: () => ['addresses', {}],
  route: () => ['routes', {}],
  iptables: ({ line }) => (/\s-\w*[LS]|--list/.test(line) ? ['firewall', {}] : undefined),
  crontab: ({ words }) => (words.includes('-l') ? ['schedule', {}] : undefined),
  df: (command) => [/\s-\w*i/.test(command.line) ? 'inodes' : 'disk-space', pathIn(command)],
  du: (command) => (pathIn(command).path === undefined ? undefined : ['largest-folders', pathIn(command)]),
  mount: ({ words }) => (words.length === 0 ? ['mounts', {}] : undefined),
  findmnt: () => ['mounts', {}],
  lsblk: () => ['block-devices', {}],
};

/** The reading of the machine itself that says what a command is to say; undefined where a command reads nothing of it. */
export function besideCommand(text: string, language: Language): OperatorPlan | undefined {
  const line = text.trim();
  const [first = '', ...words] = (line.split(/\s*(?:\||&&|;)\s*/, 1)[0] ?? '').split(/\s+/);
  const program = programOf(line) ?? first;
  const reading = program === first ? READ_BY[program]?.({ program, line, words }) : undefined;
  return reading && machinePlan(reading[0], reading[1], language);
}
