import { fail } from '#kit/app-error';
import { describeIssues } from './describe-issues.ts';
import { FAULT_KINDS, FaultSpec } from './fault-spec.ts';

/** Faults that strike requests in order: each until its `times` are used up, or for good. */
export interface FaultPlan {
  /** The fault for a request with this key, and one use of it. */
  next(key: string | undefined): FaultSpec | undefined;
}

/** Throws when a step can never be reached, because that is never what was meant. */
export function createFaultPlan(faults: readonly FaultSpec[]): FaultPlan {
  const steps = faults.map((fault, index) => ({ fault: checkedFault(fault, `plan[${index}]`), used: 0 }));
  const endless = steps.findIndex(({ fault }) => fault.times === undefined && fault.key === undefined);
  if (endless >= 0 && endless < steps.length - 1) {
    throw fail(
      'input.invalid',
      `plan[${endless}] strikes every request, so plan[${endless + 1}] is never reached`,
      'Give it `times`.',
    );
  }
  return {
    next(key) {
      const step = steps.find(
        ({ fault, used }) =>
          (fault.times === undefined || used < fault.times) && (fault.key === undefined || fault.key === key),
      );
      if (step) step.used += 1;
      return step?.fault;
    },
  };
}

function checkedFault(value: unknown, name: string): FaultSpec {
  const parsed = FaultSpec.safeParse(value);
  if (parsed.success) return parsed.data;
  throw fail('input.invalid', describeIssues(parsed.error, name), `Kinds: ${FAULT_KINDS.join(', ')}.`);
}

function headerValue(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}

/** Reads `kind;name=value;…`, the form of the `x-testkit-fault` header and of command lines. */
export function parseFault(text: string): FaultSpec {
  const [kind = '', ...settings] = text.split(';').map((part) => part.trim());
  const pairs = settings
    .filter((setting) => setting !== '')
    .map((setting): [string, unknown] => {
      const at = setting.indexOf('=');
      return at < 0
        ? [setting, true]
        : [setting.slice(0, at).trim(), headerValue(setting.slice(at + 1).trim())];
    });
  return checkedFault({ ...Object.fromEntries(pairs), kind }, 'fault');
}
