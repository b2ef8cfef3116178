import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chooseLanguage, createHints } from '../../src/hints/registry.ts'
import { CODES, ERROR_CODES } from '../../src/model/errors.ts'
import { HINT_ID } from '../../src/model/hint-id.ts'
import { startTestGateway, type TestGateway } from '../support/gateway.ts'
import { loadPacks } from '../support/packs.ts'

describe('every error code', () => {
  test.each(ERROR_CODES)('%s has a hint in every language', code => {
    const { hint } = CODES[code]
    expect(hint).toMatch(new RegExp(HINT_ID))
    const english = createHints().get(hint)
    expect(english?.action).toBeTruthy()
    const german = createHints().find([hint], 'de').hints[hint]
    expect(german?.action).not.toBe(english?.action)
    expect({ ...german, action: '' }).toEqual({ ...english, action: '' })
  })
})

test.each([
  [undefined, 'en'],
  ['de', 'de'],
  ['de-CH, en;q=0.5', 'de'],
  ['fr, en;q=0.4, de;q=0.6', 'de'],
  ['de;q=0, en', 'en'],
  ['*', 'en'],
])('Accept-Language %j gives %s', (header, language) => {
  expect(chooseLanguage(header)).toBe(language)
})

describe('GET /v1/hints', () => {
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway()
  })
  afterAll(() => gateway[Symbol.asyncDispose]())

  test('answers the known ids, and lists the others', async () => {
    const { body } = await gateway.get(
      '/v1/hints?ids=hint_auth_001,toString,__proto__,hint_none_001',
    )
    expect(Object.keys(body.data.hints)).toEqual(['hint_auth_001'])
    expect(body.data.hints.hint_auth_001).toMatchObject({ action: expect.any(String) })
    expect(body.data.notFound).toEqual(['toString', '__proto__', 'hint_none_001'])
  })

  test('answers all hints without ids', async () => {
    const { body } = await gateway.get('/v1/hints')
    expect(Object.keys(body.data.hints)).toHaveLength(ERROR_CODES.length + 1)
  })

  test('is not sent again to a client that has it', async () => {
    const first = await fetch(`${gateway.url}/v1/hints?ids=hint_auth_001`)
    const etag = first.headers.get('etag') ?? ''
    await first.text()
    const again = await fetch(`${gateway.url}/v1/hints?ids=hint_auth_001`, {
      headers: { 'if-none-match': etag },
    })
    expect(again.status).toBe(304)
    expect(await again.text()).toBe('')
    const german = await fetch(`${gateway.url}/v1/hints?ids=hint_auth_001`, {
      headers: { 'if-none-match': etag, 'accept-language': 'de' },
    })
    expect(german.status).toBe(200)
    expect(german.headers.get('content-language')).toBe('de')
  })
})

describe('hints.yaml of an upstream directory', () => {
  let directory: string
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'hints-'))
    await writeFile(join(directory, 'upstream.yaml'), 'id: shelf\n')
  })
  afterAll(() => rm(directory, { recursive: true }))

  const load = async (text: string) => {
    await writeFile(join(directory, 'hints.yaml'), text)
    return await loadPacks([directory])
  }

  test('adds hints with translations', async () => {
    const { hints, problems } = await load(
      'hint_shelf_locked_001:\n  action: Ask for the key.\n  translations: { de: Frag nach dem Schlüssel. }\n',
    )
    expect(problems).toEqual([])
    const all = createHints(hints)
    expect(all.get('hint_shelf_locked_001')).toEqual({ action: 'Ask for the key.' })
    expect(all.find(['hint_shelf_locked_001'], 'de').hints).toEqual({
      hint_shelf_locked_001: { action: 'Frag nach dem Schlüssel.' },
    })
  })

  test.each([
    ['hint_auth_001: { action: Something else. }\n', 1, /is the id of another hint/],
    ['hint_shelf_locked: { action: No number. }\n', 1, /hint_shelf_locked/],
    ['hint_shelf_locked_001:\n  acton: Misspelt.\n', 2, /acton/],
  ])('%j is reported with its line', async (text, line, message) => {
    const { problems } = await load(text)
    expect(problems.find(problem => message.test(problem.message))?.line).toBe(line)
  })
})
