/**
 * The same conversation as the Python runner's, for scripts in JavaScript. Descriptors cannot be turned around from
 * inside Node: what the script prints goes into frames, what its children print stays outside of them.
 */
export const JAVASCRIPT_RUNNER = String.raw`
const fs = require('node:fs'), vm = require('node:vm'), path = require('node:path');
const { createRequire } = require('node:module'), { Writable } = require('node:stream');

const pause = new Int32Array(new SharedArrayBuffer(4));
const retrying = (run) => {
  for (;;) {
    try { return run(); } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
      Atomics.wait(pause, 0, 0, 5);
    }
  }
};
const readLine = () => {
  const byte = Buffer.alloc(65536), parts = [];
  for (;;) {
    const size = retrying(() => fs.readSync(0, byte, 0, byte.length, null));
    if (size === 0) return undefined;
    parts.push(Buffer.from(byte.subarray(0, size)));
    if (byte[size - 1] === 10) return Buffer.concat(parts).toString('utf8');
  }
};
const first = JSON.parse(readLine());
const { token, code, keep, most } = first;
const send = (frame) => {
  const bytes = Buffer.from('\x1e' + token + JSON.stringify(frame) + '\n');
  for (let at = 0; at < bytes.length;) at += retrying(() => fs.writeSync(1, bytes, at));
};

let sent = 0, dropped = 0, tail = '';
const print = (text) => {
  const head = text.slice(0, Math.max(0, keep - sent));
  if (head) send({ out: head });
  sent += head.length;
  tail += text.slice(head.length);
  if (tail.length > 2 * keep) {
    dropped += tail.length - keep;
    tail = tail.slice(-keep);
  }
};
const sink = () => new Writable({ decodeStrings: false, write(chunk, _, done) { print(String(chunk)); done(); } });
Object.defineProperty(process, 'stdout', { value: sink() });
Object.defineProperty(process, 'stderr', { value: sink() });
globalThis.console = new console.Console(process.stdout, process.stderr);

class ToolError extends Error { name = 'ToolError'; }
const waiting = [];
let heard = '', over = false;
const listen = () => {
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', (text) => {
    heard += text;
    for (let end; (end = heard.indexOf('\n')) >= 0; heard = heard.slice(end + 1)) {
      const reply = JSON.parse(heard.slice(0, end)), call = waiting.shift();
      if (waiting.length === 0) process.stdin.unref?.();
      const { text, data, summary } = reply;
      if (reply.ok) call.resolve({ text, data, summary, toString: () => text });
      else call.reject(Object.assign(new ToolError(text), { stack: 'ToolError: ' + text + '\n' + call.site }));
    }
  });
  process.stdin.on('end', () => {
    over = true;
    for (const call of waiting.splice(0)) call.reject(new ToolError('the conversation is over'));
  });
};
let listening = false, last = Promise.resolve();
const ask = (line, site) => new Promise((resolve, reject) => {
  if (over) return reject(new ToolError('the conversation is over'));
  waiting.push({ resolve, reject, site });
  send(line);
  if (!listening) listen();
  listening = true;
  process.stdin.ref?.();
});
const call = (name, input = {}) => {
  const line = { call: String(name), input };
  if (JSON.stringify(line).length > most) return Promise.reject(new ToolError('the input of a call is too large'));
  const site = new Error().stack.split('\n').filter((part) => part.includes('script.js:')).join('\n');
  const answered = last.then(() => ask(line, site));
  last = answered.then(() => undefined, () => undefined);
  return answered;
};
const tools = new Proxy({ call }, {
  get: (own, name) => (name in own || typeof name === 'symbol' || name === 'then' ? own[name] : (input) => call(name, input)),
});

let finished = false;
const finish = (value, error) => {
  if (finished) return;
  finished = true;
  const frame = { done: true };
  if (error) frame.error = error.slice(-8000);
  if (value !== undefined) {
    let text;
    try { text = JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part), 1) ?? String(value); }
    catch { text = String(value); }
    frame.result = text.length > keep ? text.slice(0, keep) + ' …' : text;
  }
  if (tail.length > keep) { dropped += tail.length - keep; tail = tail.slice(-keep); }
  if (tail || dropped) send({ out: tail, dropped });
  send(frame);
};
const told = (error) => {
  if (!(error instanceof Error) || typeof error.stack !== 'string') return 'thrown: ' + String(error);
  const mine = error.stack.split('\n').filter((line) => !/^\s+at /.test(line) || line.includes('script.js:'));
  return mine.join('\n').replace(/^evalmachine.*\n/, '');
};
process.on('exit', (status) => finish(undefined, status ? 'the script left with ' + status : undefined));
process.on('uncaughtException', (error) => { finish(undefined, told(error)); process.exit(0); });
process.on('unhandledRejection', (error) => { finish(undefined, told(error)); process.exit(0); });

const head = '(async (tools, require, ToolError) => {';
const closing = '\n;return typeof result === "undefined" ? undefined : result;})';
Promise.resolve().then(() => {
  const script = vm.runInThisContext(head + code + closing, {
    filename: 'script.js', columnOffset: -head.length,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  return script(tools, createRequire(path.join(process.cwd(), 'script.js')), ToolError);
}).then((value) => finish(value), (error) => finish(undefined, told(error))).then(() => process.exit(0));
`;
