import { readFileSync } from 'node:fs'
import { countTokens as countReally } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, test } from 'vitest'
import { PROFILE_NAMES } from '../../../src/model/profile-name.ts'
import { countTokens } from '../../../src/render/budget/estimate.ts'
import { renderAnswer } from '../../../src/render/render.ts'
import { fakeCard, knowing } from '../../support/cards.ts'
import { corpusAnswers } from '../../support/corpus.ts'

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
const issue = (n: number) => ({
  id: `I_kwDOAAAD7c4AAA${n}i`,
  number: n,
  title: 'Repair the login page',
  url: `https://github.com/octo-org/hello-world/issues/${n}`,
  createdAt: '2026-01-03T19:04:05Z',
  labels: ['good first issue'],
})
const hashes = Array.from(
  { length: 40 },
  (_, n) => `"${(n * 2_654_435_761).toString(16).repeat(5)}"`,
)

const TEXTS: Readonly<Record<string, string>> = {
  'a list of issues': JSON.stringify(Array.from({ length: 40 }, (_, n) => issue(n))),
  'indented JSON': read('package.json'),
  prose: read('README.md'),
  code: read('src/call/execute.ts'),
  Chinese: '这是一个测试，用于检查令牌的估计。我们希望它足够准确，以便在预算之内。',
  'JSON with Chinese': JSON.stringify({ title: '修复登录问题', labels: ['错误', '紧急'], n: 7 }),
  Japanese: '東京は日本の首都であり、世界最大級の都市圏を形成している。テストのデータです。',
  Korean: '이것은 토큰 추정을 확인하기 위한 테스트입니다. 충분히 정확하기를 바랍니다.',
  Russian: 'Это проверка оценки токенов. Мы надеемся, что она достаточно точна для бюджета.',
  Greek: 'Αυτό είναι ένα τεστ για την εκτίμηση των λέξεων.',
  German: 'Überprüfung der Schätzung für größere Texte, auch mit Umlauten.',
  emoji: '🎉🚀✨ Release 🎊 done 👩‍💻👨‍👩‍👧‍👦',
  hashes: hashes.join(','),
  Base64: Buffer.from(read('src/call/execute.ts')).toString('base64').slice(0, 3000),
}

/** Estimated tokens for each real one. */
const ratioOf = (text: string) => countTokens(text) / countReally(text)

describe('an estimate is at most 5 % low, and not far too high', () => {
  test.each(Object.entries(TEXTS))('%s', (_name, text) => {
    expect(ratioOf(text)).toBeGreaterThanOrEqual(0.95)
    expect(ratioOf(text)).toBeLessThanOrEqual(1.6)
  })

  test('the failures of the corpus, in every dialect', async () => {
    const answers = await corpusAnswers(['rest', 'graphql'])
    const knowledge = knowing(fakeCard())
    const ratios = answers.flatMap(({ answer }) =>
      PROFILE_NAMES.map(profile => {
        const how = { profile, tokenBudget: null, host: 'a' }
        return ratioOf(renderAnswer(knowledge, answer, how).body)
      }),
    )
    expect(Math.min(...ratios)).toBeGreaterThanOrEqual(0.95)
    expect(Math.max(...ratios)).toBeLessThanOrEqual(1.4)
  })
})
