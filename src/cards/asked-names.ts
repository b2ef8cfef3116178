import { isObject } from '../lib/is-object.ts'
import type { JsonSchema, Lookup } from '../model/card.ts'
import type { CardSource } from './schema.ts'
import { propertiesIn } from './schema-parts.ts'

/**
 * The names that a card looks for in an answer: every word of the expressions that read it, and the members of the
 * output. Rather too many than too few: a body with one of them is never taken for a failure because of it.
 * @param engineKeys keys of the section whose expressions read the answer
 */
export function namesAsked(
  section: object,
  engineKeys: readonly string[],
  output: CardSource['output'],
): ReadonlySet<string> {
  const texts = Object.entries(section).filter(([key]) => engineKeys.includes(key))
  const { properties } = output as { readonly properties?: object }
  return new Set([
    ...(JSON.stringify(texts).match(/[A-Za-z_]\w*/g) ?? []),
    ...Object.keys(properties ?? {}),
  ])
}

/** The input members that a section reads: in expressions, and as variables of a path. */
export function membersRead(section: object, inputs: readonly string[]): readonly string[] {
  const text = JSON.stringify(section)
  return inputs.filter(name => {
    const own = RegExp.escape(name)
    return new RegExp(`\\binput\\.${own}\\b|\\{\\+?${own}\\}`).test(text)
  })
}

/**
 * The input members that a lookup is about: those of its list, else
 * all that it reads. Its other judgements may read others.
 */
export function lookupMembers(
  source: Readonly<Partial<Record<'each' | 'invalid' | 'conflict', string>>>,
  inputs: readonly string[],
  place: readonly string[],
): Pick<Lookup, 'members' | 'searched' | 'subjects'> {
  const { each, invalid, conflict } = source
  const own = (section: object) =>
    membersRead(section, inputs).filter(member => !place.includes(member))
  const listed = own({ each })
  const judged = each === undefined ? own({ invalid, conflict }) : []
  const members = listed.length > 0 ? listed : membersRead(source, inputs)
  const away = own(source)
  const searched = listed.length > 0 || away.length === 0 ? members : away
  return { members, searched, subjects: judged.length > 0 ? judged : members }
}

/** The members of an input that are false unless the caller sets them. */
export function flagsIn(input: JsonSchema): readonly string[] {
  const parts = Object.entries(propertiesIn(input))
  return parts.filter(([, part]) => isObject(part) && part.default === false).map(([name]) => name)
}
