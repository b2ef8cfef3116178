import type { Card } from '../../../src/model/card.ts'

/** The keys of the tables, and what each may call, written without patterns. */
export const KEYS = [
  { key: { name: 'nothing', allow: [] }, may: () => false },
  { key: { name: 'reader', read_only: true }, may: (card: Card) => card.effect === 'read' },
  { key: { name: 'glob', allow: ['issue.*'] }, may: ({ id }: Card) => id.startsWith('issue.') },
  {
    key: { name: 'denied', allow: ['read:*', 'write:issue.*'], deny: ['*.delete', 'issue.l*'] },
    may: ({ id, effect }: Card) =>
      (effect === 'read' || id.startsWith('issue.')) &&
      !id.endsWith('.delete') &&
      !id.startsWith('issue.l'),
  },
  {
    key: { name: 'harmless', deny: ['destructive:*', 'write:repo.*'] },
    may: (card: Card) =>
      !card.destructive && !(card.id.startsWith('repo.') && card.effect !== 'read'),
  },
  {
    // Approval is asked for what is allowed: `approve` allows nothing, and deny beats it.
    key: {
      name: 'asking',
      allow: ['read:*', 'write:issue.*', 'write:pr.*'],
      deny: ['pr.close'],
      approve: ['*'],
    },
    may: ({ id, effect }: Card) =>
      (effect === 'read' || id.startsWith('issue.') || id.startsWith('pr.')) && id !== 'pr.close',
  },
  { key: { name: 'operator', operator: true }, may: () => true },
] as const

export type KeyName = (typeof KEYS)[number]['key']['name']

export const secretOf = (name: string) => `${name}-secret-0123456789`

export const headersOf = (name: string): Record<string, string> => ({
  authorization: `Bearer ${secretOf(name)}`,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
})

export const settings = {
  keys: KEYS.map(({ key }) => ({ ...key, secret: secretOf(key.name) })) as never[],
}

/** The capabilities that a key may call. The scope of a capability comes beside its pattern. */
export const allowedOf = (cards: readonly Card[], may: (card: Card) => boolean) =>
  cards.filter(card => card.scope === null && may(card)).map(({ id }) => id)

/** An input that no capability takes, so that an allowed call sends nothing. */
export const NO_INPUT = { no_such_member: true }
