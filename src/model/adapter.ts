import { type Static, type TSchema, Type } from '@sinclair/typebox'
import type { Hold } from '../lib/byte-budget.ts'
import type { DeepReadonly } from '../lib/deep-readonly.ts'
import type { Signal } from '../lib/signal.ts'
import type { KeyPath } from '../lib/yaml-source.ts'
import type { JsonSchema } from './card.ts'
import type { Credential, Schemes } from './credential.ts'
import type { Expression, ExpressionScope, ExpressionTree } from './expression.ts'
import type { FailureRule } from './failure-rule.ts'
import type { Headers } from './headers.ts'
import { OneOf } from './one-of.ts'
import type { Grant, Reply } from './reply.ts'
import type { Effect, Route } from './route.ts'

export type { Expression, ExpressionTree } from './expression.ts'

/** Compiles parts of a card's section and records its faults. Paths are keys from the section's root. */
export interface SectionCompiler {
  /** Effect of the card; null for a section of `upstream.yaml`. A mutation in a read is a problem. */
  readonly effect: Effect | null
  /** True skips costly checks: the card is known to have no faults. */
  readonly proven?: boolean
  /** Names that the card looks for in the answer; a member with such a name is data, not a sign of failure. */
  readonly asked?: ReadonlySet<string>
  expression(text: string, path: readonly (string | number)[]): Expression
  /** The same, for an expression that also sees the answer: `body`, `status` and `headers`. */
  answerExpression(text: string, path: readonly (string | number)[]): Expression
  tree(value: unknown, path: readonly (string | number)[]): ExpressionTree
  /** Records a fault of the card with its line. Compiling continues, so that one run reports all faults. */
  problem(path: readonly (string | number)[], message: string, fix: string): void
  /** The schema of the card's input; absent where a section has none, as in `upstream.yaml`. */
  readonly input?: JsonSchema
  /** The path of a file or directory named by the card or upstream, relative to its own directory. */
  resolvePath(path: string): string
  /** Reads a file that `key` names, relative to the directory of the card or upstream. Null, and a problem, if it cannot. */
  readText(path: string, key: KeyPath): string | null
}

/** A batch: calls that came with one request. Its reads may share upstream requests. */
export interface Batch {
  /** The id of that request. */
  readonly id: string
}

/** An HTTP request as traces show it. Parameters that hold secrets are no part of it. */
export interface SentRequest {
  readonly method: string
  readonly origin: string
  /** Path and query, percent-encoded. */
  readonly path: string
}

/** The context of a call. Everything that can take time obeys `signal`. */
export interface CallContext {
  /** Aborts when the attempt's time is up or the caller is gone; `reason` says which. */
  readonly signal: Signal
  /** Milliseconds this attempt may take; the signal fires then. */
  readonly timeoutMs: number
  readonly effect: Effect
  readonly credential: Credential | null
  readonly requestId: string
  /** W3C trace context to hand on, if there is one. */
  readonly traceparent?: string
  /** Called with each HTTP request of the call. @default not traced */
  readonly onSent?: ((request: SentRequest) => void) | undefined
  /** Whether a change may still be sent: another gateway may have taken over its Idempotency-Key. @default it may */
  readonly mayChange?: (() => boolean) | undefined
  /** Sends `If-None-Match` (REST); the reply's status is 304 when nothing changed. */
  readonly etag?: string
  /** Absent for a call that was made by itself. */
  readonly batch?: Batch
  /** Counts the bytes of answers against the gateway's budget. @default no budget */
  readonly held?: Hold
}

/** The reason why a route is unusable now, and the fix. */
export const Unavailable = Type.Object({
  reason: OneOf(['CLI_NOT_AVAILABLE', 'ADAPTER_UNSUPPORTED']),
  message: Type.String(),
  fix: Type.String(),
})
export type Unavailable = DeepReadonly<Static<typeof Unavailable>>

/** One compiled route of one card. It can make its request and knows no other routes. */
export interface RouteCall {
  /** Capabilities that the section names. */
  readonly names?: readonly string[]
  /** Null when usable. Cheap: adapters cache what they probe. */
  unavailable(): Promise<Unavailable | null> | Unavailable | null
  /**
   * Makes one attempt. Resolves to a failure for everything an upstream can do; rejects only for a bug.
   * `scope` holds `input`, and `page` on paged routes.
   */
  call(scope: ExpressionScope, context: CallContext): PromiseLike<Reply>
}

/** One upstream's connection for one route, shared by its cards. */
export interface Connection {
  /** The target in words: an origin, or the name of a program. */
  readonly target: string
  compile(section: unknown, compiler: SectionCompiler): RouteCall
  /** Finds out beforehand whether the program is there. Absent for services. */
  probe?(): void
  /** Checks whether the service answers at all, without a credential. Absent for programs. */
  reach?(signal: Signal): Promise<Reachability>
  /** Sends a request of the gateway's own, below the address of the section. Absent for programs. */
  ask?(request: PlainRequest, signal: Signal): Promise<PlainResult>
  /** Tries a credential. Absent where the upstream names no request for that. */
  readonly trial?: ((credential: Credential, signal: Signal) => Promise<Probed>) | undefined
  /** Absent where calls are not bounded. */
  bulkhead?(): Bulkhead
  /** Other cards have replaced its own: gives up what it needs for calls as soon as the running ones have ended. */
  retire?(): void
  /** Breaks off what runs, at the end of the gateway, and begins nothing more. Absent where nothing runs for long. */
  cut?(): void
  close(): Promise<void>
}

/** A request that no card describes, such as one for a token. */
export interface PlainRequest {
  readonly method: string
  /** Path and query, percent-encoded. */
  readonly path: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

export type PlainResult =
  | { readonly ok: true; readonly status: number; readonly headers: Headers; readonly text: string }
  /** `code` is that of the network's error, e.g. ECONNREFUSED. */
  | { readonly ok: false; readonly message: string; readonly code: string | null }

export type Probed =
  | { readonly ok: true; readonly status: number; readonly grant: Grant | null }
  | Extract<PlainResult, { ok: false }>

export type Reachability =
  | { readonly ok: true; readonly status: number | null }
  /** `code` is that of the network's error, e.g. ECONNREFUSED. */
  | { readonly ok: false; readonly message: string; readonly code: string | null }

/** How many calls run at once and how many wait, with the bounds of both. */
export const Bulkhead = Type.Object({
  running: Type.Integer(),
  max_running: Type.Integer(),
  waiting: Type.Integer(),
  max_waiting: Type.Integer(),
  waited: Type.Integer({ description: 'Calls that had to wait, since the start.' }),
  waited_ms: Type.Number({ description: 'How long they waited, all together.' }),
  refused: Type.Integer({ description: 'Calls that were not made, because nothing became free.' }),
  started: Type.Optional(Type.Integer({ description: 'Programs started. Only of the route cli.' })),
  starting_ms: Type.Optional(
    Type.Number({ description: 'How long starting them took, all together.' }),
  ),
})
export type Bulkhead = DeepReadonly<Static<typeof Bulkhead>>

/** The code that speaks one kind of route. */
export interface Adapter {
  readonly route: Route
  /** Schema of this route's section in a card, without the keys the engine owns (`result`, `pages`). */
  readonly cardSchema: TSchema
  /** Schema of this route's section in `upstream.yaml`. */
  readonly upstreamSchema: TSchema
  connect(section: unknown, options: ConnectOptions): Connection
}

export interface ConnectOptions {
  readonly upstream: string
  /** The places of the secrets of a call's credential. */
  readonly schemes: Schemes
  /** The upstream's own failure rules, tried before the adapter's general ones. */
  readonly rules: readonly FailureRule[]
  readonly compiler: SectionCompiler
  /** Epoch milliseconds; injected so that waits computed from headers can be tested. */
  readonly now: () => number
  /** Directories to search for programs, in the form of PATH. */
  readonly searchPath: string
}
