/** What the server answered instead of what was asked for (RFC 9457), or that it did not answer. */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly hint: string | undefined;

  constructor(told: { status: number; code: string; detail: string; hint?: string | undefined }) {
    super(told.detail);
    this.name = 'Problem';
    this.status = told.status;
    this.code = told.code;
    this.hint = told.hint;
  }

  /** The server could not be reached, or something in between could not: asking again may help. */
  get passing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 502;
  }
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value ? value : undefined);

/** Reads a response that is not ok. A proxy in between may have sent something that is no problem at all. */
export async function problemOf(response: Response): Promise<Problem> {
  const { status, statusText } = response;
  let told: Record<string, unknown> = {};
  try {
    const body: unknown = await response.json();
    if (typeof body === 'object' && body !== null) told = body as Record<string, unknown>;
  } catch {
    told = {};
  }
  return new Problem({
    status,
    code: text(told['code']) ?? `http.${status}`,
    detail: text(told['detail']) ?? text(told['title']) ?? (statusText || `HTTP ${status}`),
    hint: text(told['hint']),
  });
}
