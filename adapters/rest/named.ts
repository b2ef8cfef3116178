import type { SectionCompiler } from '../../src/model/adapter.ts'
import type { ExpressionTree } from '../../src/model/expression.ts'

/** Names with the trees of their values. */
export type Named = readonly (readonly [string, ExpressionTree])[]

export function compileNamed(
  values: Readonly<Record<string, unknown>> = {},
  key: string,
  compiler: SectionCompiler,
): Named {
  return Object.entries(values).map(
    ([name, value]) => [name, compiler.tree(value, [key, name])] as const,
  )
}
