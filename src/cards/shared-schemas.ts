import { isObject } from '../lib/is-object.ts'
import type { Problem } from '../lib/problem.ts'
import type { KeyPath, SourceFile } from '../lib/yaml-source.ts'
import type { JsonSchema } from '../model/card.ts'
import { schemaProblem } from './check-schema.ts'
import { inlineRefs, type Resolved } from './inline-refs.ts'
import { reportProblem } from './report.ts'

const REFERENCE = /^#\/\$defs\/([^/]+)$/

/**
 * The `$defs` of an `upstream.yaml`: schemas that its cards refer to as `$ref: "#/$defs/name"`. Cards get them
 * written out when they are loaded, so that everything else sees schemas without references.
 */
export class SharedSchemas {
  readonly #source: SourceFile
  readonly #problems: Problem[]
  readonly #definitions: Readonly<Record<string, JsonSchema>>
  /** The definitions without references; null for one that has a fault. */
  readonly #schemas = new Map<string, JsonSchema | null>()
  readonly #unused: Set<string>

  /** Reports faults of the definitions to `problems`. */
  constructor(
    source: SourceFile,
    definitions: Readonly<Record<string, JsonSchema>>,
    problems: Problem[],
  ) {
    this.#source = source
    this.#problems = problems
    this.#definitions = definitions
    this.#unused = new Set(Object.keys(definitions))
    for (const name of Object.keys(definitions)) this.#define(name, [])
  }

  /** A copy of a card's schema in which the definitions that it refers to are written out. */
  inline(schema: JsonSchema, path: KeyPath, source: SourceFile, problems: Problem[]): JsonSchema {
    const own = isObject(schema.$defs) ? schema.$defs : {}
    const resolve = (ref: string, at: KeyPath): Resolved => {
      const name = REFERENCE.exec(ref)?.[1]
      // Other references stay within the card's schema; the validator resolves them.
      if (name === undefined || Object.hasOwn(own, name)) return 'keep'
      if (!Object.hasOwn(this.#definitions, name)) {
        reportProblem(source, at, `names "${ref}", which does not exist`, this.#choice(), problems)
        return null
      }
      this.#unused.delete(name)
      return this.#schemas.get(name) ?? null
    }
    const report = (at: KeyPath, message: string, fix: string) =>
      reportProblem(source, at, message, fix, problems)
    return inlineRefs(schema, path, { resolve, report })
  }

  /** Reports the definitions that nothing has referred to so far. */
  reportUnused(): void {
    for (const name of this.#unused) {
      this.#report(['$defs', name], 'is never used', 'Refer to it from a card, or remove it.')
    }
  }

  #define(name: string, chain: readonly string[]): JsonSchema | null {
    const known = this.#schemas.get(name)
    if (known !== undefined) return known
    const before = this.#problems.length
    const path = ['$defs', name]
    const schema = inlineRefs(this.#definitions[name] ?? {}, path, {
      resolve: (ref, at) => this.#resolveWithin(ref, at, [...chain, name]),
      report: (at, message, fix) => this.#report(at, message, fix),
    })
    if (this.#problems.length === before && !this.#source.proven) this.#check(schema, path)
    const usable = this.#problems.length === before ? schema : null
    this.#schemas.set(name, usable)
    return usable
  }

  #resolveWithin(ref: string, at: KeyPath, chain: readonly string[]): Resolved {
    const name = REFERENCE.exec(ref)?.[1]
    if (name === undefined || !Object.hasOwn(this.#definitions, name)) {
      this.#report(at, `names "${ref}", which does not exist`, this.#choice())
      return null
    }
    if (chain.includes(name)) {
      const circle = [...chain.slice(chain.indexOf(name)), name].join(' → ')
      const fix = 'Write one of them out: a definition cannot contain itself.'
      this.#report(at, `closes a circle: ${circle}`, fix)
      return null
    }
    this.#unused.delete(name)
    return this.#define(name, chain)
  }

  #check(schema: JsonSchema, path: KeyPath): void {
    const problem = schemaProblem(schema, this.#source.thorough ?? false)
    if (problem !== null) this.#report([...path, ...problem.path], problem.message, problem.fix)
  }

  #report(path: KeyPath, message: string, fix: string): void {
    reportProblem(this.#source, path, message, fix, this.#problems)
  }

  #choice(): string {
    const known = Object.keys(this.#definitions).map(name => `#/$defs/${name}`)
    return known.length > 0
      ? `Use one of: ${known.join(', ')}; or add it to $defs in upstream.yaml.`
      : 'Add it to $defs in upstream.yaml, or write the schema out.'
  }
}
