import pc from 'picocolors';
import type { DemoStats } from '#demo';
import { table } from '../table.ts';

const BARS = '▁▂▃▄▅▆▇█';
const KEPT = 32;

export interface LiveView {
  /** Adds a line above what is live. */
  say(line: string): void;
  /** Shows how the services do now. */
  show(stats: DemoStats, versions: Readonly<Record<string, string>>): void;
  /** What is being waited for, beside how long it has taken. */
  wait(what: string | undefined): void;
  close(): void;
}

/** On a terminal a block that is drawn anew in place, under lines that stay; in a pipe the lines alone. */
export function liveView(stdout: NodeJS.WriteStream): LiveView {
  const seen = new Map<string, { errors: number[]; p95: number[] }>();
  let block: string[] = [];
  let drawn = 0;
  let waiting: { what: string; since: number } | undefined;
  const erase = () => {
    if (drawn > 0) stdout.write(`\u001b[${drawn}A\u001b[J`);
    drawn = 0;
  };
  const draw = () => {
    if (!stdout.isTTY) return;
    const seconds = waiting ? Math.round((Date.now() - waiting.since) / 1_000) : 0;
    const lines = [...block, ...(waiting ? [pc.cyan(`${spinner()} ${waiting.what} … ${seconds} s`)] : [])];
    if (lines.length) stdout.write(`${lines.join('\n')}\n`);
    drawn = lines.length;
  };
  return {
    say: (line) => {
      erase();
      stdout.write(`${line}\n`);
      draw();
    },
    show: (stats, versions) => {
      block = statLines(stats, versions, seen);
      erase();
      draw();
    },
    wait: (what) => {
      if (what !== waiting?.what) waiting = what === undefined ? undefined : { what, since: Date.now() };
      erase();
      draw();
    },
    close: () => {
      erase();
      block = [];
      waiting = undefined;
    },
  };
}

const spinner = (): string => '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'[Math.floor(Date.now() / 100) % 10] ?? '';

function statLines(
  { services }: DemoStats,
  versions: Readonly<Record<string, string>>,
  seen: Map<string, { errors: number[]; p95: number[] }>,
): string[] {
  const rows = Object.entries(services).map(([name, { rps, errors, p95Ms, up }]) => {
    const failing = Object.values(errors).reduce((sum, perSecond) => sum + perSecond, 0);
    const past = seen.get(name) ?? { errors: [], p95: [] };
    past.errors = [...past.errors, failing].slice(-KEPT);
    past.p95 = [...past.p95, p95Ms ?? 0].slice(-KEPT);
    seen.set(name, past);
    const codes = Object.entries(errors).map(([code, perSecond]) => `${code} ${perSecond.toFixed(1)}/s`);
    const bad = up < 0.5 || failing > rps * 0.05;
    return [
      bad ? pc.red('●') : pc.green('●'),
      pc.bold(name),
      pc.dim(versions[name] ?? ''),
      `${rps.toFixed(1)}/s`,
      `p95 ${p95Ms === undefined ? '–' : Math.round(p95Ms)} ms`,
      pc.cyan(sparkline(past.p95)),
      codes.length ? pc.red(codes.join(' ')) : pc.dim('no errors'),
      codes.length ? pc.red(sparkline(past.errors)) : '',
    ];
  });
  return ['', ...table(rows).split('\n')];
}

function sparkline(values: readonly number[]): string {
  const most = Math.max(...values, 1e-9);
  return values.map((value) => BARS[Math.min(7, Math.floor((value / most) * 7.99))] ?? BARS[0]).join('');
}
