import { isBuiltByUri } from '../../src/expressions/uri.ts'
import type { SectionCompiler } from '../../src/model/adapter.ts'
import type { CliCardSection } from './schema.ts'

/** Options of `gh api` that read a file if a value asks for it. */
const FILE_READERS = ['field', 'input']

/**
 * Checks the arguments of `gh api` and of programs like it. Such a program sends its argument as it is, so a
 * value that is not encoded could name something else.
 */
export function checkApiCommand(section: CliCardSection, compiler: SectionCompiler): void {
  if (section.command[0] !== 'api' || compiler.proven) return
  for (const [index, text] of (section.positionals ?? []).entries()) {
    if (isBuiltByUri(text)) continue
    compiler.problem(
      ['positionals', index],
      'builds an endpoint without uri(), so a value with "#", "?" or ".." would name another one',
      "Write uri('repos/{owner}/{name}', {owner: input.owner, name: input.name}).",
    )
  }
  for (const name of FILE_READERS) {
    const values: unknown[] = [section.options?.[name]].flat()
    if (values.every(value => typeof value !== 'string' || isBuiltByUri(value))) continue
    compiler.problem(
      ['options', name],
      'lets a value that begins with "@", or is a path, read a file of the gateway',
      'Use raw-field, or stdin with input: "\'-\'".',
    )
  }
}
