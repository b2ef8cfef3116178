import type { Reaction, ReactionContent, Timestamp, User } from './entities.ts'
import type { Registry } from './registry.ts'

/** GraphQL name → REST name, in GitHub's order. */
export const REACTIONS = {
  THUMBS_UP: '+1',
  THUMBS_DOWN: '-1',
  LAUGH: 'laugh',
  HOORAY: 'hooray',
  CONFUSED: 'confused',
  HEART: 'heart',
  ROCKET: 'rocket',
  EYES: 'eyes',
} as const satisfies Record<ReactionContent, string>

export const REACTION_CONTENTS = Object.keys(REACTIONS) as ReactionContent[]

export class Reactions {
  readonly #registry: Registry

  constructor(registry: Registry) {
    this.#registry = registry
  }

  /** Adds a reaction, or returns the user's existing one. */
  add(
    subject: Reaction['subject'],
    user: User,
    content: ReactionContent,
    createdAt: Timestamp = this.#registry.timestamp(),
  ): Reaction {
    const known = subject.reactions.find(it => it.user === user && it.content === content)
    if (known) return known
    const reaction: Reaction = {
      kind: 'Reaction',
      ...this.#registry.identify('Reaction', repositoryOf(subject)),
      subject,
      user,
      content,
      createdAt,
    }
    subject.reactions.push(reaction)
    return this.#registry.register(reaction)
  }

  delete(reaction: Reaction): void {
    const { subject } = reaction
    subject.reactions = subject.reactions.filter(it => it !== reaction)
    this.#registry.unregister(reaction)
  }
}

export function repositoryOf(subject: Reaction['subject']) {
  return subject.kind === 'IssueComment' ? subject.subject.repository : subject.repository
}
