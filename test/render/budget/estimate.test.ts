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
  'a diff': `--- a/src/x.ts\n+++ b/src/x.ts\n@@ -1,7 +1,9 @@ export function x() {\n${read('src/call/execute.ts').replaceAll('\n', '\n+')}`,
  'a table of Markdown': '| a | **b** | c |\n|---|:-:|--:|\n'.repeat(20),
  'lines of Markdown': '-----\n=====\n***\n~~~~\n####\n________________\n'.repeat(5),
  'JSON within JSON': JSON.stringify({ body: JSON.stringify({ a: '"x"\\y', b: [{ c: '\n' }] }) }),
  quotes: String.raw`\"\\"\"`.repeat(30),
  Perl: String.raw`map { s/^\s+|\s+$//gr } grep { !/^#/ && m{^(\w+)\s*=>\s*([^;]+);$} } <$fh>; $h{$1}->{$_} //= [@$x[0..$#{$x}]];`,
  shell: String.raw`for f in "$@"; do [[ -f "$f" ]] && sed -e 's/\(.*\)=\(.*\)/\2=\1/' "$f" >> "$out" 2>&1 || exit $?; done`,
  LaTeX: String.raw`\frac{\partial f}{\partial x} = \sum_{i=0}^{n} \alpha_i x^{i-1} \\ `.repeat(5),
  CSS: '.a>b{margin:0 auto!important;color:#fff}@media(max-width:600px){.x::after{content:"*"}}',
  HTML: `<div class="a-b" id='c'><a href="https://x.test/?a=1&amp;b=2">&nbsp;</a></div>\n`.repeat(
    5,
  ),
  'marks in no order': '^%]}@|~+<=*&#$!;:?/>_-(`[).,{;$&#^~@*%|=+]{/?',
  'a log':
    '2026-11-29T16:56:35.123Z [info] (worker-1) GET /v1/requests?limit=10 200 12.3ms\n'.repeat(9),
  tabs: 'a\t\tb\n\n\n\tc'.repeat(20),
  capitals: 'THE QUICK BROWN FOX JUMPS_OVER_THE LAZY_DOG XMLHttpRequest '.repeat(4),
  'a box': '┌──┬──┐\n│ a │ b │\n├──┼──┤\n└──┴──┘\n'.repeat(5),
  symbols: '✓ ✗ ✔ ✘ • ● ○ ■ □ ★ ☆ … – — “a” ‘b’ → ← ⇒ ↔ ∑ ∫ ≤ ≥',
  Braille: '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏',
  'simplified Chinese': '这是一个测试，用于检查令牌的估计。我们希望它足够准确，以便在预算之内。',
  'traditional Chinese':
    '這是一個測試，用於檢查權杖的估計。請在合併之前修復登入頁面上的錯誤，並添加迴歸測試。',
  'classical Chinese':
    '道可道，非常道。名可名，非常名。無名天地之始；有名萬物之母。故常無欲，以觀其妙。',
  'rare Chinese': '龘靐齉爩鱻麤龗灪吁龖厵滟爨癵籱饢驫鲡鹂鸾',
  'JSON with Chinese': JSON.stringify({ title: '修复登录问题', labels: ['错误', '紧急'], n: 7 }),
  Japanese: '東京は日本の首都であり、世界最大級の都市圏を形成している。テストのデータです。',
  Korean: '이것은 토큰 추정을 확인하기 위한 테스트입니다. 충분히 정확하기를 바랍니다.',
  Russian: 'Это проверка оценки токенов. Мы надеемся, что она достаточно точна для бюджета.',
  Greek: 'Αυτό είναι ένα τεστ για την εκτίμηση των λέξεων.',
  German: 'Überprüfung der Schätzung für größere Texte, auch mit Umlauten.',
  Polish: 'Przed scaleniem proszę naprawić błędy na stronie logowania i dodać testy regresji.',
  Italian:
    'Prima di unire la richiesta correggere gli errori nella pagina di accesso e aggiungere i test.',
  Turkish: 'Birleştirmeden önce lütfen giriş sayfasındaki hataları düzeltin ve testleri ekleyin.',
  Finnish: 'Korjaa ennen yhdistämistä kirjautumissivun virheet ja lisää regressiotestit.',
  emoji: '🎉🚀✨ Release 🎊 done 👩‍💻👨‍👩‍👧‍👦',
  hashes: hashes.join(','),
  Base64: Buffer.from(read('src/call/execute.ts')).toString('base64').slice(0, 3000),
}

/** Scripts whose text is names of countries here, because a short sentence says little about a language. */
const LANGUAGES =
  'ar hy bn my ka el gu he hi ja kn km ko lo ml mr mn ne or fa pa ru si ta te th bo uk ur vi am zh zh-Hant'
const COUNTRIES =
  'DE FR GB US JP CN KR IN BR RU ZA EG NG KE AR CL MX CA AU NZ IT ES PT SE NO FI DK PL CZ AT'
const countriesIn = (language: string) => {
  const names = new Intl.DisplayNames([language], { type: 'region' })
  return COUNTRIES.split(' ')
    .map(code => names.of(code))
    .join(', ')
}

/** Estimated tokens for each real one. */
const ratioOf = (text: string) => countTokens(text) / countReally(text)

describe('an estimate is at most 5 % low, and not far too high', () => {
  test.each(Object.entries(TEXTS))('%s', (_name, text) => {
    expect(ratioOf(text)).toBeGreaterThanOrEqual(0.95)
    expect(ratioOf(text)).toBeLessThanOrEqual(1.9)
  })

  test.each(['Một bài kiểm tra để ước tính số lượng', countriesIn('ko')])(
    'text in parts: %s',
    text => {
      expect(ratioOf(text.normalize('NFD'))).toBeGreaterThanOrEqual(0.95)
      expect(ratioOf(text.normalize('NFD'))).toBeLessThanOrEqual(1.6)
    },
  )

  test.each(LANGUAGES.split(' '))('countries in %s', language => {
    const text = countriesIn(language)
    expect(ratioOf(text)).toBeGreaterThanOrEqual(0.95)
    expect(ratioOf(text)).toBeLessThanOrEqual(1.6)
  })

  test('the same texts as members of JSON', () => {
    const ratios = Object.values(TEXTS).map(text => ratioOf(JSON.stringify({ body: text })))
    expect(Math.min(...ratios)).toBeGreaterThanOrEqual(0.95)
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
    expect(Math.max(...ratios)).toBeLessThanOrEqual(1.5)
  })
})
