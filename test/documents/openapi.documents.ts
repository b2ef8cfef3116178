import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { Card } from '../../src/model/card.ts'
import type { Credential } from '../../src/model/credential.ts'
import type { Drafted } from '../../src/tools/import/files.ts'
import { type ImportedDocument, importDocument, loadFolder } from './support/import-document.ts'
import { type Judge, startJudge } from './support/prism.ts'
import { DESCRIPTIONS, fileOf } from './support/published.ts'
import { sample } from './support/sample.ts'
import { trimmed } from './support/trim.ts'

type Schemes = ImportedDocument['schemes']

/** Cards of each document whose requests are judged; all would take an hour. */
const MOST_JUDGED = 40
/** The reasons that are true; others show an operation that import should have understood. */
const REASONS =
  /^needs the credential |^is served by |^has the method (OPTIONS|TRACE)|^takes a body of .*, which no card can send$/

const place = mkdtempSync(join(tmpdir(), 'sb-documents-'))
afterAll(() => rmSync(place, { recursive: true, force: true }))

describe.each(DESCRIPTIONS)('the document of $name', published => {
  const folder = join(place, published.name)
  let imported: ImportedDocument

  test('gives cards for nearly all operations, in time, and none too large', () => {
    imported = importDocument(fileOf(published, place), folder)
    const { cards, total, skipped, seconds, largest } = imported
    const untrue = skipped.filter(line => !REASONS.test(line.slice(line.indexOf(': ') + 2)))
    expect(untrue).toEqual([])
    const share = (100 * cards.length) / total
    expect({ share, skipped }).toMatchObject({
      share: expect.toSatisfy(atLeast(published.least ?? 95)),
    })
    expect(seconds).toBeLessThan(10)
    expect(largest).toBeLessThan(64_000)
  })

  test('gives cards without faults, and requests that an independent validator accepts', async () => {
    const chosen = spread(imported.cards)
    await using judge = await startJudge(
      trimmed(
        fileOf(published, place),
        chosen.map(({ operation }) => pathOf(operation.label)),
        place,
      ),
    )
    const loaded = loadFolder(folder, judge.url)
    try {
      expect(loaded.problems).toEqual([])
      const verdicts: (string | null)[] = []
      for (const drafted of chosen) {
        const card = loaded.cards.get(drafted.id)
        if (card) verdicts.push(...(await judgeCard(card, drafted, judge, imported)))
      }
      const faults = verdicts.filter(verdict => verdict !== null)
      expect(verdicts.length).toBeGreaterThan(chosen.length / 2)
      expect(faults.slice(Math.floor(verdicts.length / 100))).toEqual([])
    } finally {
      await loaded.close()
    }
  })
})

function atLeast(least: number) {
  return (share: unknown) => Number(share) >= least
}

/** Some of the cards, from all parts of the document. */
function spread(cards: readonly Drafted[]): readonly Drafted[] {
  const step = Math.max(1, Math.floor(cards.length / MOST_JUDGED))
  return cards.filter((_, index) => index % step === 0).slice(0, MOST_JUDGED)
}

function pathOf(label: string): string {
  return label.slice(label.indexOf(' ') + 1)
}

/** Sends a call with all members of the input, and one with the required members only. */
async function judgeCard(
  card: Card,
  { operation }: Drafted,
  judge: Judge,
  imported: ImportedDocument,
) {
  const [route] = card.routes
  const section = operation.draft().section as { readonly path: string }
  const path = imported.basePath + section.path
  judge.prefix = path.split('/').length - pathOf(operation.label).split('/').length
  const inputs = [true, false].map(isFull => parsed(card, sample(card.input, isFull)))
  for (const input of inputs) {
    if (input === null || !route) continue
    await route.call.call(
      { input, lookup: {}, page: { number: 1, size: 10 } },
      {
        signal: AbortSignal.timeout(20_000),
        timeoutMs: 20_000,
        effect: card.effect,
        credential: credentialFor(route.needs[0] ?? [], imported.schemes),
        requestId: 'test',
      },
    )
  }
  return judge.verdicts()
}

/** Null for a sample that the card itself refuses. */
function parsed(card: Card, input: unknown) {
  try {
    return input === undefined ? null : card.parseInput(input)
  } catch {
    return null
  }
}

function credentialFor(names: readonly string[], schemes: Schemes): Credential {
  const secret = (name: string) =>
    schemes[name]?.type === 'basic' ? { username: 'u', password: 'p' } : 'dTpw'
  const values = Object.fromEntries(names.map(name => [name, secret(name)]))
  return { id: 'test', values, token: 'dTpw', secrets: ['dTpw'] }
}
