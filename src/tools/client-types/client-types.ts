import { firstSentence, oneLine } from '../../lib/text.ts'
import type { Card } from '../../model/card.ts'
import { schemaType } from './schema-type.ts'

/** Writes a TypeScript module with the types of capabilities, for `createClient` of `signalbox/client`. */
export function clientTypes(cards: readonly Card[], { name, made }: TypesOptions): string {
  const lines = [
    `// Made by ${made}; do not edit.`,
    '',
    `export interface ${name} {`,
    ...cards.toSorted((a, b) => (a.id < b.id ? -1 : 1)).flatMap(describe),
    '}',
  ]
  return `${lines.join('\n')}\n`
}

interface TypesOptions {
  /** The name of the interface. */
  readonly name: string
  /** The command that makes the module. */
  readonly made: string
}

function describe({ id, description, effect, input, output, deprecated }: Card): string[] {
  const text = oneLine(firstSentence(description)).replaceAll('*/', '* /')
  const note = deprecated === null ? '' : ` @deprecated ${oneLine(deprecated)}`
  return [
    `  /** ${text}${note.replaceAll('*/', '* /')} */`,
    `  readonly ${JSON.stringify(id)}: {`,
    `    readonly effect: ${JSON.stringify(effect)}`,
    `    readonly input: ${schemaType(input)}`,
    `    readonly output: ${schemaType(output)}`,
    '  }',
  ]
}
