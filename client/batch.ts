import type { CapabilitiesOf, Id } from './client.ts'
import {
  type AnyBatchOptions,
  type BatchOptions,
  membersOf,
  type Partly,
  type SomeOf,
} from './options.ts'
import type { Failure, Result } from './result.ts'

declare const VALUE: unique symbol

/** A value of a result that is not known yet. Its members are references too. */
export type Ref<T> = { readonly [VALUE]: T } & Members<T>

type Members<T> = T extends readonly (infer I)[]
  ? { readonly [index: number]: Ref<I> }
  : T extends object
    ? { readonly [K in keyof T]-?: Ref<T[K]> }
    : unknown

/** An input in which references stand for values of their type. */
export type Bindable<T> =
  | Ref<T>
  | (T extends readonly (infer I)[]
      ? readonly Bindable<I>[]
      : T extends object
        ? { readonly [K in keyof T]: Bindable<T[K]> }
        : T)

/** A call of a batch. `data` stands for what it will return, also the members that `fields` leaves out of the result. */
export interface Step<Output, Shown = Output> {
  readonly id: string
  readonly data: Ref<Output>
  /** Never set; carries the type. */
  readonly shown?: Shown
}

/** The calls that `each` makes, one for each item. */
export interface EachStep<Shown> {
  readonly id: string
  readonly each: true
  /** Never set; carries the type. */
  readonly shown?: Shown
}

/** The data of a result, by the options of its call. */
type ShownBy<Options, Output> = Options extends Partly ? SomeOf<Output> : Output

export interface BatchPlan<C extends CapabilitiesOf<C>> {
  call<K extends Id<C>, Options extends AnyBatchOptions = BatchOptions>(
    id: K,
    input: Bindable<C[K]['input']>,
    options?: Options,
  ): Step<C[K]['output'], ShownBy<Options, C[K]['output']>>
  /** Makes the call for each item of a list. */
  each<K extends Id<C>, Item, Options extends AnyBatchOptions = BatchOptions>(
    id: K,
    list: Ref<readonly Item[]>,
    input: (item: Ref<Item>) => Bindable<C[K]['input']>,
    options?: Options,
  ): EachStep<ShownBy<Options, C[K]['output']>>
}

export type Built = Readonly<Record<string, Step<unknown, unknown> | EachStep<unknown>>>

type ResultOf<S> =
  S extends EachStep<infer Shown>
    ? readonly Result<Shown>[]
    : S extends Step<unknown, infer Shown>
      ? Result<Shown>
      : never

/** The results of a batch, by the names that the steps have in the returned object. */
export type BatchOutcome<B> =
  | {
      readonly ok: true
      readonly status: 'success' | 'partial' | 'failed'
      readonly results: { readonly [Name in keyof B]: ResultOf<B[Name]> }
    }
  /** The gateway refused the batch as a whole, and made none of its calls; or its answer was lost. */
  | Failure

const REFERENCE = Symbol('reference')
const MARKS = ['$from', '$item', '$literal']

/** Collects the calls that `build` plans, in the form of the body of `POST /v1/batch`. */
export function planBatch<C extends CapabilitiesOf<C>, B extends Built>(
  build: (plan: BatchPlan<C>) => B,
): { readonly built: B; readonly calls: readonly object[] } {
  const calls: object[] = []
  const add = (capability: string, input: unknown, more: object, options?: AnyBatchOptions) => {
    const id = `${calls.length + 1}`
    calls.push({ id, capability, input: encode(input), ...more, ...membersOf(options ?? {}) })
    return id
  }
  const built = build({
    call(capability, input, options) {
      const id = add(capability, input, {}, options)
      return { id, data: reference(path => ({ $from: id, path }), 'data') as never }
    },
    each(capability, list, input, options) {
      const item = reference(path => ({ $item: path }), '@')
      const id = add(capability, input(item as never), { for_each: encode(list) }, options)
      return { id, each: true }
    },
  })
  return { built, calls }
}

/** An object whose members are references to the members of the value, whatever their names are. */
function reference(toJson: (path: string) => object, path: string): object {
  return new Proxy(
    {},
    {
      get(_target, name) {
        if (name === REFERENCE) return toJson(path)
        if (name === Symbol.toPrimitive || name === 'toJSON') return notKnownYet
        if (typeof name === 'symbol') return undefined
        const member = /^\d+$/.test(name) ? `[${name}]` : `.${JSON.stringify(name)}`
        return reference(toJson, path + member)
      },
      ownKeys: notKnownYet,
      has: notKnownYet,
      set: notKnownYet,
    },
  )
}

/** Otherwise `JSON.stringify` or a spread of a reference would silently send an empty object. */
function notKnownYet(): never {
  throw new TypeError(
    'A reference has no value until the batch runs. Put it into an input as it is, or make a second request.',
  )
}

/** Writes references as the gateway reads them, and hides data that only looks like one. */
function encode(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value
  const found = (value as { readonly [REFERENCE]?: object })[REFERENCE]
  if (found) return found
  if (Array.isArray(value)) return value.map(encode)
  if (MARKS.some(mark => Object.hasOwn(value, mark))) return { $literal: value }
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, encode(member)]))
}

interface BatchData {
  readonly status: 'success' | 'partial' | 'failed'
  readonly results: readonly { readonly id: string; readonly envelope: Result<unknown> }[]
}

export function readOutcome<B extends Built>(built: B, answer: Result<BatchData>): BatchOutcome<B> {
  if (!answer.ok) return answer
  const { status, results } = answer.data
  const found = Object.entries(built).map(([name, step]) => {
    const own = results.filter(({ id }) => id === step.id).map(({ envelope }) => envelope)
    return [name, 'each' in step ? own : own[0]] as const
  })
  return { ok: true, status, results: Object.fromEntries(found) as never }
}
