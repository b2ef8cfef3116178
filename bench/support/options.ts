import { parseArgs } from 'node:util'

const HELP = `npm run bench -- [options]

Requests per second of POST /v1/capabilities/repo.view?route=rest, with the journal on, against a bare
@fastify/http-proxy and against asking the upstream directly. Takes about three minutes.

  --quick         few rounds, about 15 seconds: a look, no figure to quote
  --rounds <n>    slices of each variant at each number of connections (default 60)
  --slice <ms>    length of a slice (default 225)
  --assert <r>    exit with 1 when a ratio to @fastify/http-proxy is below r
  --no-nginx      a Node process as the upstream even where nginx is installed
  --profile <dir> write a CPU profile of the gateway there (it makes the gateway slower)
  --help          this text
`

export interface BenchOptions {
  readonly rounds: number
  readonly sliceMs: number
  readonly assert: number | null
  readonly nginx: boolean
  readonly profile: string | null
}

const QUICK_ROUNDS = 5

/** Null when help was asked for, and has been given. Throws for an option that is not known or not usable. */
export function readOptions(): BenchOptions | null {
  const { values } = parseArgs({
    allowNegative: true,
    options: {
      quick: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      slice: { type: 'string', default: '225' },
      assert: { type: 'string' },
      nginx: { type: 'boolean', default: true },
      profile: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(HELP)
    return null
  }
  return {
    rounds: positive('rounds', values.rounds ?? String(values.quick ? QUICK_ROUNDS : 60)),
    sliceMs: positive('slice', values.slice),
    assert: values.assert === undefined ? null : positive('assert', values.assert),
    nginx: values.nginx,
    profile: values.profile ?? null,
  }
}

function positive(name: string, text: string): number {
  const value = Number(text)
  if (value > 0 && Number.isFinite(value)) return value
  throw new Error(`--${name} must be a number above 0, and is ${JSON.stringify(text)}`)
}
