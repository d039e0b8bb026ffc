/** An answer that goes wrong. */
export interface Fault {
  /** `POST /process/session`, or a part of such a line. */
  readonly on: string;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** How often; once without it. */
  readonly times?: number;
}

export interface Faults {
  add(fault: Fault): void;
  /** The fault that this request meets, if there is one. Uses it up. */
  meet(line: string): Fault | undefined;
}

export function faultList(): Faults {
  const left: { fault: Fault; times: number }[] = [];
  return {
    add: (fault) => void left.push({ fault, times: fault.times ?? 1 }),
    meet: (line) => {
      const found = left.find(({ fault, times }) => times > 0 && line.includes(fault.on));
      if (found) found.times--;
      return found?.fault;
    },
  };
}
