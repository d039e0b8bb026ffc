import { z } from 'zod';
import { fail } from '#kit/app-error';
import type { HttpApi } from './http-api.ts';
import { isSecure } from '#adapters/io/secure-url';

const CREATE_MS = 120_000;

const SandboxAnswer = z.object({
  id: z.string().min(1),
  state: z.string().default('unknown'),
  toolboxProxyUrl: z.string().nullish(),
  errorReason: z.string().nullish(),
});
export type DaytonaSandbox = z.infer<typeof SandboxAnswer>;

const ProxyAnswer = z.object({ url: z.string().min(1) });
const ExecuteAnswer = z.object({ exitCode: z.number().nullish(), result: z.string().nullish() });
const StartedAnswer = z.object({ cmdId: z.string().min(1) });
const CommandAnswer = z.object({ exitCode: z.number().nullish() });

/** What is asked of a new sandbox. Absent fields are left to the service. */
export interface DaytonaRequest {
  readonly snapshot?: string | undefined;
  readonly target?: string | undefined;
  readonly cpu?: number | undefined;
  readonly memory?: number | undefined;
  readonly disk?: number | undefined;
  readonly buildInfo?: { readonly dockerfileContent: string } | undefined;
  readonly labels: Readonly<Record<string, string>>;
  readonly autoStopInterval: number;
  readonly autoDeleteInterval: number;
  readonly networkBlockAll: boolean;
}

/** The part of Daytona's API that manages sandboxes. */
export function daytonaApi(http: HttpApi, base: string) {
  const at = (id: string, rest = '') => `${base}/sandbox/${encodeURIComponent(id)}${rest}`;
  return {
    create: (body: DaytonaRequest) =>
      http.json(SandboxAnswer, {
        ...{ doing: 'create a sandbox', method: 'POST', url: `${base}/sandbox`, body, timeoutMs: CREATE_MS },
      }),
    get: (id: string) => http.json(SandboxAnswer, { doing: 'find the sandbox', method: 'GET', url: at(id) }),
    start: (id: string) => http.send({ doing: 'start the sandbox', method: 'POST', url: at(id, '/start') }),
    remove: (id: string) => http.send({ doing: 'remove the sandbox', method: 'DELETE', url: at(id) }),
    /** Where the inside of a sandbox is reached. The key goes there too, so it has to be encrypted. */
    toolboxUrl: async (sandbox: DaytonaSandbox) => {
      const url = at(sandbox.id, '/toolbox-proxy-url');
      const call = { doing: 'find the toolbox of the sandbox', method: 'GET' as const, url };
      const told = sandbox.toolboxProxyUrl || (await http.json(ProxyAnswer, call)).url;
      if (!isSecure(told)) throw fail('tool.failed', 'Daytona names a toolbox whose address is not https.');
      return `${told.replace(/\/+$/, '')}/${encodeURIComponent(sandbox.id)}`;
    },
  };
}
export type DaytonaApi = ReturnType<typeof daytonaApi>;

const inBase64 = (script: string): string =>
  `sh -c "echo ${Buffer.from(script).toString('base64')} | base64 -d | sh"`;

/** The part that works inside one sandbox: sessions, their commands, files. */
export function daytonaToolbox(http: HttpApi, base: string) {
  const session = (id: string, rest = '') => `${base}/process/session/${encodeURIComponent(id)}${rest}`;
  const command = (id: string, cmd: string, rest = '') =>
    session(id, `/command/${encodeURIComponent(cmd)}${rest}`);
  const file = (what: string, path: string) => `${base}/files/${what}?path=${encodeURIComponent(path)}`;
  return {
    /** Runs a short script to its end. It travels in base64: the service cuts the line into words by rules of its own. */
    execute: (script: string, seconds: number) =>
      http.json(ExecuteAnswer, {
        ...{ doing: 'run a command', method: 'POST', url: `${base}/process/execute` },
        ...{ body: { command: inBase64(script), timeout: seconds }, timeoutMs: (seconds + 10) * 1_000 },
      }),
    openSession: (sessionId: string) =>
      http.send({
        ...{ doing: 'open a session', method: 'POST', url: `${base}/process/session`, body: { sessionId } },
      }),
    closeSession: (id: string) => http.send({ doing: 'end a session', method: 'DELETE', url: session(id) }),
    startCommand: async (id: string, line: string): Promise<string> => {
      const body = { command: line, runAsync: true, suppressInputEcho: true };
      const call = { doing: 'start a command', method: 'POST' as const, url: session(id, '/exec'), body };
      return (await http.json(StartedAnswer, call)).cmdId;
    },
    /** Undefined while it runs. */
    exitCode: async (id: string, cmd: string): Promise<number | undefined> => {
      const call = { doing: 'look after a command', method: 'GET' as const, url: command(id, cmd) };
      return (await http.json(CommandAnswer, call)).exitCode ?? undefined;
    },
    sendInput: (id: string, cmd: string, data: string) =>
      http.send({
        ...{ doing: 'hand over input', method: 'POST', url: command(id, cmd, '/input'), body: { data } },
      }),
    /** Where the log can be followed. */
    logUrl: (id: string, cmd: string) => `${command(id, cmd, '/logs').replace(/^http/, 'ws')}?follow=true`,
    download: (path: string) =>
      http.bytes({ doing: `read ${path}`, method: 'GET', url: file('download', path) }),
    upload: (path: string, bytes: Uint8Array) => {
      const form = new FormData();
      form.append('file', new Blob([Buffer.from(bytes)]), 'file');
      return http.send({ doing: `write ${path}`, method: 'POST', url: file('upload', path), body: form });
    },
  };
}
export type DaytonaToolbox = ReturnType<typeof daytonaToolbox>;
