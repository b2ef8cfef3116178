import type { Card } from '../../src/model/card.ts'

/** The parts of the gateway's own endpoints. */
const TAGS: Readonly<Record<string, string>> = {
  capabilities: 'What can be called, and how a call would go.',
  approvals: 'Calls that a person has to approve.',
  audit: 'Decisions about keys, credentials, approvals and settings.',
  operating: 'What an operator does to a running gateway.',
  journal: 'What was called, and how it went.',
  hints: 'What to do about errors.',
  profiles: 'The dialects of answers.',
  mcp: 'The Model Context Protocol.',
  health: 'For load balancers and monitoring.',
  documentation: 'This document.',
  inspector: 'The web page that shows requests.',
}

interface Tag {
  readonly name: string
  readonly description: string
}

/** Describes the tags that operations have. Those of capabilities are their upstreams. */
export function tagsOf(cards: readonly Card[], used: ReadonlySet<string>): readonly Tag[] {
  const upstreams = cards.map(({ upstream: { id, description } }) => [
    id,
    description ?? `Capabilities of ${id}.`,
  ])
  const all: Readonly<Record<string, string>> = { ...Object.fromEntries(upstreams), ...TAGS }
  return Object.entries(all)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }))
}
