import { type Static, Type } from '@sinclair/typebox'
import { likelyIds } from '../../src/cards/search.ts'
import { shorten } from '../../src/lib/text.ts'
import type { Card } from '../../src/model/card.ts'
import { CARD_PATTERN, matchesCard, parseCardPattern } from '../../src/model/card-pattern.ts'
import { GatewayError } from '../../src/model/errors.ts'
import { OneOf } from '../../src/model/one-of.ts'
import { PROFILE_NAMES } from '../../src/model/profile-name.ts'

export const DocumentQuery = Type.Object(
  {
    capabilities: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 8000,
        description:
          'Only the operations of these capabilities: patterns as in a key, comma-separated, such as repo.*,read:issue.*.',
      }),
    ),
    profile: Type.Optional(
      OneOf(PROFILE_NAMES, 'The dialect of the answers that the document describes.'),
    ),
  },
  { additionalProperties: false },
)
export type DocumentQuery = Static<typeof DocumentQuery>

/**
 * The cards that a document is about.
 * @param all the list of a catalog
 * @param mayCall whether the caller may call one
 * @throws {GatewayError} VALIDATION, which names each pattern that selects none of them
 */
export function chooseCards(
  { capabilities }: Pick<DocumentQuery, 'capabilities'>,
  all: readonly Card[],
  mayCall: (card: Card) => boolean,
): readonly Card[] {
  const mine = all.filter(mayCall)
  if (capabilities === undefined) return mine
  const texts = capabilities.split(',').map(text => text.trim())
  const patterns = texts.filter(isPattern).map(parseCardPattern)
  const selects = (text: string) =>
    isPattern(text) && mine.some(card => matchesCard(parseCardPattern(text), card))
  const idle = texts.filter(text => !selects(text))
  if (idle.length > 0) throw unknown(idle, text => likelyIds(all, text, mayCall))
  return mine.filter(card => patterns.some(pattern => matchesCard(pattern, card)))
}

const PATTERN = new RegExp(CARD_PATTERN)
const isPattern = (text: string): boolean => PATTERN.test(text)

type Likely = (text: string) => readonly string[]

/** The most patterns that a message names. */
const MOST_NAMED = 5

function unknown(patterns: readonly string[], likely: Likely): GatewayError {
  const fields = patterns.slice(0, MOST_NAMED).map(text => ({
    path: 'capabilities',
    message: `${JSON.stringify(shorten(text, 200))} selects no capability that you may call${meantBy(likely(text.slice(0, 200).replaceAll('*', '')))}`,
  }))
  const list = fields.map(({ message }) => message).join('; ')
  return new GatewayError('VALIDATION', `${list}. GET /v1/capabilities lists them.`, {
    source: 'caller',
    details: { fields },
  })
}

function meantBy(ids: readonly string[]): string {
  return ids.length === 0 ? '' : ` (did you mean ${ids.join(', ')}?)`
}
