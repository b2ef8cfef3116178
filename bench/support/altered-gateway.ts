/**
 * `signalbox serve` with one part put out of action, to measure what no setting allows. Its argument is one of:
 *
 * - `never-open`: breakers take each failure for a success. With real ones no fallback could be measured: after five
 *   failures the gateway skips the route.
 * - `no-journal`: calls are not recorded.
 */
import type { Engine } from '../../src/engine/engine.ts'
import { restartLean } from '../../src/lib/restart-lean.ts'

restartLean()
const { readSettings } = await import('../../src/commands/options.ts')
const { startGateway } = await import('../../src/gateway/server.ts')

const ALTERATIONS = {
  'never-open': ({ state: { breakers } }: Engine) => {
    const report = breakers.report.bind(breakers)
    breakers.report = (key, _code, now) => report(key, null, now)
  },
  'no-journal': ({ journal }: Engine) => {
    journal.append = async () => {}
    journal.announce = () => () => {}
  },
}

export type Alteration = keyof typeof ALTERATIONS

const alteration = process.argv[2] as Alteration
const read = () => readSettings(process.env, { host: '127.0.0.1', port: 0 })
const settings = read()
await startGateway({
  settings,
  env: process.env,
  file: null,
  read,
  onStart: ALTERATIONS[alteration],
})
