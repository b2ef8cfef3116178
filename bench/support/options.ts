import { parseArgs } from 'node:util'
import { checkoutAt, numberIn, orRefuse, refuse } from './read-options.ts'
import { WARM_UP_REQUESTS } from './rounds.ts'

const HELP = `npm run bench -- [options]

Measures POST /v1/capabilities/repo.view?route=rest with the journal on, compared with a bare
@fastify/http-proxy and with the upstream itself. bench/README.md explains the columns.

  --quick         run only 5 rounds: a rough impression, not a figure to quote
  --rounds <n>    slices of each variant at each number of connections (default 60)
  --slice <ms>    length of a slice (default 225)
  --against <dir> compare this checkout with the one in this directory, instead of with the proxy;
                  both get the card of bench/cards
  --peers         compare with other people's gateways too, which it installs first (625 MB)
  --guard         fail if a request costs more CPU time than bench/guard.json says, beyond the noise
  --update        with --guard: write the figures of this run to bench/guard.json
  --assert <r>    exit with 1 if the gateway's ratio is below r
  --no-nginx      use a Node process as the upstream even if nginx is installed
  --profile <dir> write a CPU profile of the gateway to this directory (slows the gateway down)
  --help          show this text
`

export interface BenchOptions {
  readonly kind: 'pipeline' | 'peers' | 'guard'
  readonly update: boolean
  readonly rounds: number
  readonly sliceMs: number
  readonly warmUpRequests: number
  readonly against: string | null
  readonly assert: number | null
  readonly nginx: boolean
  readonly profile: string | null
}

const DEFAULT_ROUNDS = 60
const QUICK_ROUNDS = 5
const QUICK_WARM_UP = 2000

/** Ends this process for options that make no sense. @returns null after printing the help text. */
export function readBenchOptions(): BenchOptions | null {
  return orRefuse('npm run bench', parse)
}

function parse(): BenchOptions | null {
  const { values } = parseArgs({
    allowNegative: true,
    options: {
      quick: { type: 'boolean', default: false },
      rounds: { type: 'string' },
      slice: { type: 'string', default: '225' },
      against: { type: 'string' },
      peers: { type: 'boolean', default: false },
      guard: { type: 'boolean', default: false },
      update: { type: 'boolean', default: false },
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
    kind: kindOf(values),
    update: values.update,
    rounds: numberIn(
      '--rounds',
      values.rounds ?? String(values.quick ? QUICK_ROUNDS : DEFAULT_ROUNDS),
    ),
    sliceMs: numberIn('--slice', values.slice),
    warmUpRequests: values.quick ? QUICK_WARM_UP : WARM_UP_REQUESTS,
    against: values.against === undefined ? null : checkoutAt(values.against),
    assert: values.assert === undefined ? null : numberIn('--assert', values.assert, 0),
    nginx: values.nginx,
    profile: values.profile ?? null,
  }
}

function kindOf({ peers, guard, update }: Chosen): BenchOptions['kind'] {
  if (peers && guard) refuse('--peers and --guard are two benches: run one of them')
  if (update && !guard) refuse('--update belongs to --guard')
  if (peers) return 'peers'
  return guard ? 'guard' : 'pipeline'
}

type Chosen = Readonly<Record<'peers' | 'guard' | 'update', boolean>>
