import type { Problem } from '../lib/problem.ts'
import type { SourceFile } from '../lib/yaml-source.ts'
import type { SectionCompiler } from '../model/adapter.ts'
import type { JsonSchema } from '../model/card.ts'
import { parseCardPattern } from '../model/card-pattern.ts'
import type { TextAuthor, TextRule, UpstreamTexts } from '../model/texts.ts'
import type { CardSource, UpstreamSource } from './schema.ts'
import { schemaAt } from './schema-path.ts'
import { createSectionCompiler } from './section.ts'

/** Compiles what an upstream states of its texts; null if it states nothing. */
export function compileUpstreamTexts(
  { texts }: Pick<UpstreamSource, 'texts'>,
  source: SourceFile,
  problems: Problem[],
): UpstreamTexts | null {
  if (!texts) return null
  const section = (...roots: string[]) =>
    createSectionCompiler({
      source,
      base: ['texts'],
      effect: null,
      names: { roots, inputs: null },
      problems,
    })
  const onInput = section('input')
  const { writers, rules } = texts
  return {
    rules: rules.map(({ by, members, cards, when, exact }, index) => ({
      author: authorOf(by),
      members: members.map(namesIn),
      cards: cards?.map(parseCardPattern) ?? null,
      when: when === undefined ? null : onInput.expression(when, ['rules', index, 'when']),
      exact: exact ?? false,
    })),
    writers: writers
      ? {
          capability: writers.capability,
          input: onInput.expression(writers.input, ['writers', 'input']),
          logins: section('data').expression(writers.logins, ['writers', 'logins']),
        }
      : null,
  }
}

/** The rules of one card, which come before those of its upstream. @param section its expressions see input */
export function compileUntrusted(
  { untrusted = [], output }: Pick<CardSource, 'untrusted' | 'output'>,
  section: SectionCompiler,
): readonly TextRule[] {
  return untrusted.map((entry, index) => {
    const { path, by = 'anyone', when, exact } = typeof entry === 'string' ? { path: entry } : entry
    const names = namesIn(path)
    if (schemaAt(output as JsonSchema, names.join('.')) === 'unknown') {
      section.problem([index], 'names nothing in the output', 'Name a text of data.')
    }
    return {
      author: authorOf(by),
      members: [names],
      cards: null,
      when: when === undefined ? null : section.expression(when, [index, 'when']),
      exact: exact ?? false,
    }
  })
}

const KINDS = ['service', 'writers', 'anyone'] as const

function authorOf(by: string): TextAuthor {
  const kind = KINDS.find(one => one === by)
  return kind ? { kind } : { kind: 'member', names: by.split('.') }
}

/** `items[].labels[]` → `['items', 'labels']`. */
export function namesIn(path: string): readonly string[] {
  return path.replaceAll('[]', '').split('.')
}
