import { tell } from '#kit/text';
import type { Arg } from '../arg.ts';
import type { Call } from '../call.ts';
import { EMPTY, type Feed, OPAQUE } from '../feed.ts';

/** Runs code that stands among the words. */
export function runsCode(call: Call, language: string, code: Arg | undefined): Feed {
  if (code) call.runsCode(language, code);
  // Code that unpacks something prints what nobody could read before.
  const unpacks = /decode|unhex|fromhex|pack\b|rot_?13|chr\b|atob|fromCharCode|['"](?:base64|hex)['"]/i.test(
    code?.text ?? '',
  );
  const { network, decoded, secret } = call.stdin;
  return { ...OPAQUE, network, decoded: decoded || unpacks, secret };
}

/** Runs a script; the words behind it are its own. */
export function script(call: Call, file: Arg, language: string): Feed {
  if (/^\/dev\/(?:stdin|fd\/0)$/.test(file.text)) return call.runsInput(language);
  if (/^[a-z][a-z+]+:/i.test(file.text))
    call.ask(tell('runs a program from another machine', '会运行来自另一台机器的程序'));
  call.runsFile(file);
  return OPAQUE;
}

export function waits(call: Call): Feed {
  call.ask(tell('waits for somebody to type code', '会等人键入代码'));
  return OPAQUE;
}

/** The input, if there is any; otherwise somebody is expected at a terminal. */
export const readsInput = (call: Call, language: string): Feed =>
  call.stdin === EMPTY ? waits(call) : call.runsInput(language);

/** An interpreter's own options end where its code, its module or its script begins. */
export interface Cut {
  readonly own: readonly Arg[];
  readonly kind: 'code' | 'module' | 'file' | 'input' | 'none';
  /** The code, the name of the module, or the script. */
  readonly what?: Arg;
  readonly rest: readonly Arg[];
}
