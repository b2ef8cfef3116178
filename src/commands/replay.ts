import { readFileSync } from 'node:fs'
import { type ReplayReport, replay } from '../call/replay/replay.ts'
import type { Fixture } from '../journal/fixture.ts'
import { GatewayError } from '../model/errors.ts'
import { openEngine } from './open-engine.ts'
import type { CommonOptions } from './options.ts'
import { print, printError } from './output.ts'

/** Makes the decisions of a recorded request again. The exit code is 0 only if they are the same. */
export async function replayFile(file: string, options: CommonOptions): Promise<void> {
  const fixture = readFixture(file)
  await using engine = await openEngine(options)
  try {
    const report = await replay(engine, fixture)
    print(describe(report))
    process.exitCode = report.same ? 0 : 1
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    printError(`signalbox: ${error.message}`)
    process.exitCode = 2
  }
}

/** Accepts the whole envelope of the export endpoint, or its data alone. */
function readFixture(file: string): Fixture {
  let parsed: unknown
  try {
    parsed = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    return refuse(`${file} cannot be read: ${(error as Error).message}`)
  }
  const found = (parsed as { data?: unknown } | null)?.data ?? parsed
  if ((found as Partial<Fixture> | null)?.signalbox_fixture === 1) return found as Fixture
  return refuse(
    `${file} is not an exported request. Get one with GET /v1/requests/{request_id}/export.`,
  )
}

function refuse(message: string): never {
  printError(`signalbox: ${message}`)
  process.exit(2)
}

function describe({ same, capability_id, differences }: ReplayReport): string {
  if (same) return `${capability_id}: the same decisions`
  const lines = differences.map(
    ({ what, recorded, now }) => `  ${what}\n    recorded  ${recorded}\n    now       ${now}`,
  )
  return [`${capability_id}: the decisions differ`, ...lines].join('\n')
}
