import type { Connection, RouteCall } from './adapter.ts'
import type { CardPattern } from './card-pattern.ts'
import type { Credentials, Needs, Schemes } from './credential.ts'
import type { Expression } from './expression.ts'
import type { Effect, Route } from './route.ts'
import type { Scope } from './scopes.ts'
import type { CardTexts, UpstreamTexts } from './texts.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

/** A service behind capabilities, as the engine needs to know it. */
export interface Upstream {
  readonly id: string
  readonly description: string | null
  /** Its HTTP address, without credentials; null for an upstream that only has a CLI. */
  readonly baseUrl: string | null
  /** Names the subject of a call, e.g. `owner/name`; null when the input has none. */
  readonly workspaceOf: (input: Readonly<Record<string, unknown>>) => string | null
  /** The members of inputs that `workspaceOf` reads: they say where a call works, seldom what is wrong with it. */
  readonly place: readonly string[]
  /** Names the account of a call, for credentials that differ by it; null when the input has none. */
  readonly accountOf: (input: Readonly<Record<string, unknown>>) => string | null
  readonly schemes: Schemes
  readonly credentials: Credentials
  /** The needs of requests whose card names none. */
  readonly needs: Needs
  readonly pools: readonly string[]
  /** A numbered page without a link to the next one is the last. */
  readonly linksNext: boolean
  /** Values for examples of inputs and outputs, by the name of the member. */
  readonly examples: Readonly<Record<string, unknown>>
  readonly keeps: readonly KeepRule[]
  /** The authors that it states for the texts in its answers; null if it states none. */
  readonly texts: UpstreamTexts | null
}

/** Changes that leave the answers of some reads in memory as they are. */
export interface KeepRule {
  /** The rule is about the cards of this folder alone, since its author knows no others. */
  readonly folder: string
  readonly changes: readonly CardPattern[]
  readonly reads: readonly CardPattern[]
}

/** An upstream, and the connection of each of its routes. */
export interface ConnectedUpstream {
  readonly upstream: Upstream
  readonly connections: ReadonlyMap<Route, Connection>
  /** Changes whenever its `upstream.yaml` does. */
  readonly digest: () => string
}

/** A read made before the call, on the same route. */
export interface Lookup {
  readonly name: string
  /** The input members of which one is wrong if it finds nothing. */
  readonly members: readonly string[]
  /** The input members of which one is wrong if it finds nothing and says what: without those of the place. */
  readonly searched: readonly string[]
  /** The input members of which one is wrong if it proves the call invalid. */
  readonly subjects: readonly string[]
  /** The flags that are off by default. Only one that is on can be wrong. */
  readonly flags: readonly string[]
  readonly call: RouteCall
  /** True, or a sentence, when its answer means that the thing is not there. */
  readonly missing: Expression | null
  /** A sentence when its answer means that the input cannot be right. */
  readonly invalid: Expression | null
  /** A sentence when its answer means that something has changed meanwhile, or is there already. */
  readonly conflict: Expression | null
  /** The list of its `each`, to say which member is missing; null when it makes one request. */
  readonly each: Expression | null
  /** A sentence when its answer means that this route cannot do it. */
  readonly unsupported: Expression | null
  /** The value of `lookup.<name>`; null for the answer itself. */
  readonly result: Expression | null
}

/** Items on an upstream's largest page, where the card names no other number. */
export const FULL_PAGE = 100

/** The way to build a list from an upstream's pages. */
export interface Pages {
  readonly items: Expression
  readonly keep: Expression | null
  /** The inputs that use `keep`; null: all. The others are spared the larger pages that a filter needs. */
  readonly keepWhen: Expression | null
  /** For upstreams with cursors of their own; null for numbered pages. */
  readonly after: { readonly cursor: Expression; readonly more: Expression } | null
  /** The largest numbered page there is. */
  readonly largest: number
  /** The upstream links to the next page whenever there is one. */
  readonly linksNext: boolean
  /** The upstream gives the whole list at once. */
  readonly whole: boolean
}

/** A request that follows the main one of a change, on the same route. */
export interface FollowUp {
  readonly name: string
  readonly call: RouteCall
  readonly effect: Effect
  /** Made only when true; null makes it always. */
  readonly when: Expression | null
  /** In the infinitive, for the warning that it was not done. */
  readonly purpose: string
  /** A list: the request is made for each member. Null makes one request. */
  readonly each: Expression | null
  /** Names a member of the list, for warnings. */
  readonly subject: Expression | null
}

export interface CardRoute {
  readonly route: Route
  /** The inputs that it serves; null when it serves all. */
  readonly when: { readonly test: Expression; readonly reason: string } | null
  readonly followUps: readonly FollowUp[]
  readonly call: RouteCall
  readonly lookups: readonly Lookup[]
  readonly missing: Expression | null
  /** A sentence when the answer shows that this route cannot return everything; only for reads. */
  readonly unsupported: Expression | null
  readonly result: Expression
  readonly pages: Pages | null
  readonly needs: Needs
  /** `upstream:pool`, e.g. `github:core`; null when the card names none. */
  readonly pool: string | null
  /** Key of its circuit breaker: one for each upstream and route. */
  readonly breaker: string
}

/** The read that finds out whether an ambiguous write happened. */
export interface Verify {
  readonly capability: string
  readonly input: Expression
  /** One object, several, or null. */
  readonly found: Expression
  readonly created: Expression
  readonly author: Expression | null
  /** The capability whose `data.login` is the credential's own user; given together with `author`. */
  readonly viewer: string | null
  /** Members of the output that tell one object from another. The object that `found` gives has them too. */
  readonly identity: readonly string[]
  readonly settlesMs: number
}

/** The read that shows the state that a change leaves. */
export interface StateRead {
  readonly capability: string
  /** Null when the input does not say enough to call it. */
  readonly input: Expression
}

export interface Suggestion {
  readonly capability: string
  readonly input: Expression
  readonly when: Expression | null
  readonly reason: string | null
}

/** The list that a token budget may cut. */
export interface List {
  /** Dotted path in `data`. */
  readonly path: string
  /** Sort key of one item, the highest first; null keeps the order. */
  readonly rank: Expression | null
}

/** One capability, compiled. */
export interface Card {
  readonly id: string
  readonly version: string
  readonly description: string
  readonly effect: Effect
  readonly deprecated: string | null
  /** It deletes, merges, transfers, or overwrites what others made. */
  readonly destructive: boolean
  /** Milliseconds for calls that name none; null for the setting. */
  readonly timeoutMs: number | null
  /** The scope that a gateway key needs; null when any key will do. */
  readonly scope: Scope | null
  readonly upstream: Upstream
  readonly file: string
  readonly input: JsonSchema
  readonly output: JsonSchema
  /** In order of preference. */
  readonly routes: readonly CardRoute[]
  /** Routes that the service has no way for, each with the reason. */
  readonly notOffered: Readonly<Partial<Record<Route, string>>>
  readonly verify: Verify | null
  /** The reads whose answers in memory a change makes worthless; null: all of its upstream that no rule of it keeps. */
  readonly touches: readonly CardPattern[] | null
  /** Null: the capability's name says which read it is. `none`: no read shows it. */
  readonly state: StateRead | 'none' | null
  readonly page: { readonly cursor: string; readonly size: string } | null
  readonly list: List | null
  readonly next: readonly Suggestion[]
  readonly summary: Expression | null
  /** A sentence when the answer to a change does not show all that was asked for. */
  readonly lacks: Expression | null
  /** The quotas that its answers show, as a list of `{pool, limit, remaining, resetAt}`; null for most reads. */
  readonly quotas: Expression | null
  /** The upstream's names of input members, as the routes send them: `body` → `text`. */
  readonly upstreamNames: ReadonlyMap<string, string>
  /** The texts in its answers, and who writes them. */
  readonly texts: CardTexts
  /** Changes whenever the card does. */
  readonly digest: () => string
  /**
   * Checks a caller's input strictly and fills in defaults, without changing the argument.
   * @throws {GatewayError} VALIDATION, whose details name every faulty field.
   */
  parseInput(input: unknown): Readonly<Record<string, unknown>>
  /** The faults of `data` under the output schema; empty when it has none. */
  checkOutput(data: unknown): readonly FieldProblem[]
}

/** One faulty member, for `details.fields`. */
export interface FieldProblem {
  /** Dotted path; empty for the whole value. */
  readonly path: string
  readonly message: string
}
