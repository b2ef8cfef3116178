import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { parseShipped } from '../src/lib/yaml-source.ts'

const Closed = { additionalProperties: false } as const
const Member = Type.Union([Type.String(), Type.Array(Type.String(), { minItems: 1 })])

/** How gh prints a field: as it is, in other words, or with a reason why no capability has it. */
const GhField = Type.Union([
  Type.String(),
  Type.Object({ member: Member, as: Type.String() }, Closed),
  Type.Object({ reason: Type.String() }, Closed),
])

const Covered = Type.Object(
  {
    command: Type.String(),
    /** The words after `gh` that a test runs. Default: those of `command`. */
    run: Type.Optional(Type.String()),
    capability: Type.String(),
    input: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    form: Type.Union([Type.Literal('columns'), Type.Literal('keys'), Type.Literal('text')]),
    fields: Type.Record(Type.String(), GhField),
  },
  Closed,
)

const GhCommands = Type.Array(
  Type.Union([Covered, Type.Object({ command: Type.String(), reason: Type.String() }, Closed)]),
)

const file = fileURLToPath(new URL('gh-fields.yaml', import.meta.url))

/** The list and view commands of gh, with the fields that each prints by default. */
export function ghCommands() {
  return Value.Parse(GhCommands, parseShipped(file, readFileSync(file, 'utf8')))
}

export type GhCommand = ReturnType<typeof ghCommands>[number]
export type GhField = Extract<GhCommand, { fields: unknown }>['fields'][string]

/** Where a field stands: a capability and a path in its output. Empty for a field with a reason. */
export function placesOf(field: GhField, own: string): { capability: string; path: string }[] {
  if (typeof field === 'object' && 'reason' in field) return []
  const members = typeof field === 'string' ? [field] : [field.member].flat()
  return members.map(member => {
    const [path = '', capability = own] = member.split(' ').toReversed()
    return { capability, path }
  })
}

/** The table of docs/capabilities.md. */
export function ghSection(): string {
  return `### What gh shows

Each field that a \`gh … list\` or \`gh … view\` prints by default is a member of an output, or has a reason why not.

| \`gh\` | capability | fields |
|---|---|---|
${ghCommands().map(row).join('\n')}
`
}

function row(command: GhCommand): string {
  if ('reason' in command) return `| \`${command.command}\` | | ${command.reason} |`
  const fields = Object.entries(command.fields).map(
    ([name, field]) => `${name}: ${described(field, command.capability)}`,
  )
  return `| \`${command.command}\` | \`${command.capability}\` | ${fields.join('; ')} |`
}

function described(field: GhField, own: string): string {
  if (typeof field === 'object' && 'reason' in field)
    return `none. ${field.reason.replace(/\.$/, '')}`
  const members = placesOf(field, own).map(({ capability, path }) =>
    capability === own ? `\`${path}\`` : `\`${path}\` of \`${capability}\``,
  )
  return typeof field === 'string' ? members.join(', ') : `${members.join(', ')} (${field.as})`
}
