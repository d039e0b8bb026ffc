import type { z } from 'zod';

/**
 * One way in over HTTP, as both sides know it. `access`: `public` asks for nothing; `signed` checks a signature in its
 * route; `read` takes every token; `write` and `approve` refuse the read-only one; `admin` is for whoever owns this home.
 */
export interface Contract {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `/api/incidents/:id` names a part. */
  readonly path: string;
  readonly access: 'public' | 'signed' | 'read' | 'write' | 'approve' | 'admin';
  /**
   * Who it is, is found out in the route: only what is refused there counts against the address, so that no flood keeps
   * out who shares it. So it is where `access` is `signed`, unless told otherwise.
   */
  readonly proves?: boolean;
  /**
   * Only a person may use it, not who merely has a token that lies in the home. Unless it is said: what `approve` changes.
   */
  readonly person?: boolean;
  /** Larger bodies are refused before they are read. */
  readonly maxBytes?: number;
  readonly summary: string;
  /** Each name with what it means. An empty value is like none. */
  readonly query?: z.ZodObject;
  /** JSON. Where it takes `undefined`, a request may have no body. */
  readonly body?: z.ZodType;
  /** Media types of a body that the route reads itself, because its form is not ours. `body` then only describes it. */
  readonly takes?: readonly string[];
  /** Of an answer that went well: 200 unless it is said. */
  readonly status?: number;
  /** JSON. Where nothing of these three is said, there is no body. */
  readonly answer?: z.ZodType;
  /** Media types of an answer that is a text or bytes. */
  readonly files?: readonly string[];
  /** What each server-sent event tells, by its name. */
  readonly events?: Readonly<Record<string, z.ZodType>>;
}

/** A group of contracts, each under a name, with its types as written. */
export const defineContracts = <const T extends Readonly<Record<string, Contract>>>(group: T): T => group;

/** The names of a path's parts. */
type PartNames<P extends string> = P extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | PartNames<More>
    : Rest
  : never;

export type ParamsOf<C extends Contract> = { readonly [Name in PartNames<C['path']>]: string };

/** What is sent, and what comes of it. */
export type QuerySent<C extends Contract> = C extends { readonly query: infer S extends z.ZodType }
  ? z.input<S>
  : undefined;
export type QueryRead<C extends Contract> = C extends { readonly query: infer S extends z.ZodType }
  ? z.output<S>
  : undefined;
export type BodySent<C extends Contract> = C extends { readonly body: infer S extends z.ZodType }
  ? z.input<S>
  : undefined;
export type BodyRead<C extends Contract> = C extends { readonly body: infer S extends z.ZodType }
  ? z.output<S>
  : undefined;
/** `null` where the answer has no body. */
export type AnswerOf<C extends Contract> = C extends { readonly answer: infer S extends z.ZodType }
  ? z.output<S>
  : null;
/** Each event of a stream, with its name. */
export type EventOf<C extends Contract> = C extends {
  readonly events: infer E extends Readonly<Record<string, z.ZodType>>;
}
  ? {
      [K in keyof E]: { readonly type: K; readonly data: E[K] extends z.ZodType ? z.output<E[K]> : never };
    }[keyof E]
  : never;

/** What may be given for a type: nobody writes to it, so lists that may not be written to do as well. */
export type Given<T> = T extends (...args: never) => unknown
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Given<Item>[]
    : T extends object
      ? { readonly [K in keyof T]: Given<T[K]> }
      : T;
