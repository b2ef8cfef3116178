import { CORPORA, type FailureCase, readCases } from './case.ts'
import { differences } from './compare.ts'
import { RUNNERS } from './runners.ts'

/** `npm run failures -- [FILE]`: replays the corpora, or those of a file, and prints how many cases get the right outcome. */

interface Result {
  readonly failureCase: FailureCase
  readonly wrong: readonly string[]
}

export async function replayCase(failureCase: FailureCase): Promise<Result> {
  const run = RUNNERS[failureCase.route]
  if (!run) return { failureCase, wrong: [`no runner for ${failureCase.route}`] }
  try {
    const outcomes = await run(failureCase)
    const wrong = outcomes.flatMap(outcome =>
      differences(failureCase.expect, outcome).map(line => `${line} [${outcome.how}]`),
    )
    return { failureCase, wrong }
  } catch (error) {
    return { failureCase, wrong: [`threw ${error instanceof Error ? error.stack : String(error)}`] }
  }
}

async function main(file: string | undefined): Promise<void> {
  const results: Result[] = []
  const cases = (file === undefined ? CORPORA : [file]).flatMap(readCases)
  for (const failureCase of cases) results.push(await replayCase(failureCase))
  for (const { failureCase, wrong } of results.filter(result => result.wrong.length > 0)) {
    console.log(`✗ ${failureCase.id} (${failureCase.kind})`)
    for (const line of wrong) console.log(`    ${line}`)
    if (failureCase.why) console.log(`    why: ${failureCase.why}`)
  }
  for (const key of ['kind', 'upstream', 'route'] as const) printTable(results, key)
  const right = results.filter(({ wrong }) => wrong.length === 0).length
  console.log(`${right}/${results.length} right`)
  process.exitCode = right === results.length ? 0 : 1
}

function printTable(results: readonly Result[], key: 'kind' | 'upstream' | 'route'): void {
  console.log(`\nby ${key}`)
  const groups = Object.groupBy(results, ({ failureCase }) => failureCase[key])
  for (const [name, group = []] of Object.entries(groups)) {
    const right = group.filter(({ wrong }) => wrong.length === 0).length
    console.log(`  ${name.padEnd(28)} ${right}/${group.length}${right < group.length ? '  ✗' : ''}`)
  }
}

if (import.meta.main) await main(process.argv[2])
