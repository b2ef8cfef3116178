import { type LoadResult, loadCapabilities } from '../../cards/load.ts'
import { packDirectories, SHIPPED_DIRECTORIES } from '../../cards/packs.ts'
import { createAdapters } from '../../gateway/adapters.ts'
import type { Settings } from '../../gateway/config.ts'
import { systemClock } from '../../lib/clock.ts'
import { messageOf } from '../../lib/message-of.ts'
import { formatProblem } from '../../lib/problem.ts'
import { counted } from '../../lib/text.ts'
import type { Connection, Probed } from '../../model/adapter.ts'
import type { CardRoute, Upstream } from '../../model/card.ts'
import { type Identity, type Needs, nameIn, type SourceState } from '../../model/credential.ts'
import type { Environment } from '../../model/environment.ts'
import { wordsOf } from '../../model/standing.ts'
import { type Check, type Finding, fail, ok, warn } from './finding.ts'

/** Time for one service to answer. */
const REACH_TIMEOUT_MS = 5000

/** Loads the cards as `serve` does. */
export function loadCards(
  { packs, capabilities, credentials }: Settings,
  env: Environment,
): LoadResult {
  return loadCapabilities({
    directories: [...packDirectories(packs), ...capabilities],
    proven: SHIPPED_DIRECTORIES,
    adapters: createAdapters(),
    env,
    now: systemClock.now,
    configured: () => credentials,
  })
}

export function checkCards({ cards, problems }: LoadResult): readonly Finding[] {
  const [first] = problems
  if (!first) return [ok('cards', counted(cards.size, 'capability', 'capabilities'))]
  const count = problems.length === 1 ? 'one problem' : `${problems.length} problems, the first`
  const fix = 'Run signalbox check with the same directories to see them all.'
  return [fail('cards', `${count}: ${formatProblem(first)}`, fix)]
}

/** The checks of each upstream: its credential, and each of its routes. */
export function upstreamChecks({ upstreams, cards }: LoadResult): Record<string, Check> {
  const checks: Record<string, Check> = {}
  for (const { upstream, connections } of upstreams) {
    checks[`${upstream.id} credential`] = () =>
      checkCredentials(upstream, connections.get('rest')?.trial)
    const own = [...cards.values()].filter(card => card.upstream.id === upstream.id)
    for (const [route, connection] of connections) {
      const part = `${upstream.id} ${route}`
      const calls = own.flatMap(card => card.routes.filter(it => it.route === route))
      checks[part] = () => checkRoute(part, connection, calls)
    }
  }
  return checks
}

/** Names variables and files, never their values. */
async function checkCredentials(
  { id, credentials, needs }: Upstream,
  trial: Connection['trial'],
): Promise<readonly Finding[]> {
  const part = `${id} credential`
  const sources = credentials.sources()
  const isNeeded = needs.every(names => names.length > 0)
  if (sources.length === 0) {
    const lacking = isNeeded ? credentials.lacking(null, needs) : null
    return [lacking === null ? ok(part, 'not needed') : warn(part, lacking.message, lacking.fix)]
  }
  const found = await Promise.all(
    sources.map(source => checkSource(source, part, { isNeeded, isTried: trial !== undefined })),
  )
  const tried = await Promise.all(
    credentials.ids.map(own =>
      tryCredential(credentials.choose(nameIn(own)), { part, needs, trial }),
    ),
  )
  return [...found, ...tried.flatMap(finding => finding ?? [])]
}

interface Trying {
  readonly part: string
  readonly needs: Needs
  readonly trial: Connection['trial']
}

/** Sends a credential to the service. Null when there is no request for that, or no secret to send. */
async function tryCredential(
  identity: Identity | null,
  { part, needs, trial }: Trying,
): Promise<Finding | null> {
  // Each account has a secret of its own, and the check of the source has tried them.
  if (!trial || identity === null || identity.ofAccount) return null
  const signal = AbortSignal.timeout(REACH_TIMEOUT_MS)
  const credential = await Promise.resolve(identity.open(needs, signal)).catch(() => null)
  if (credential === null || credential.secrets.length === 0) return null
  const probed = await trial(credential, signal)
  // The check of the route reports a service that cannot be reached.
  return probed.ok ? describeProbed(identity.id, part, probed) : null
}

function describeProbed(
  id: string,
  part: string,
  { status, grant }: Extract<Probed, { ok: true }>,
): Finding | null {
  if (status === 401 || status === 403) {
    const fix = 'It has ended, or was revoked: give the gateway another.'
    return warn(part, `the service refuses ${id} (${status})`, fix)
  }
  // Any other refusal says nothing about the credential.
  if (status >= 400) return null
  const rights = grant === null ? '' : `, ${wordsOf({ ...NO_STANDING, ...grant })}`
  return ok(part, `the service accepts ${id}${rights}`)
}

const NO_STANDING = { failure: null, issued: 0, note: null }

async function checkSource(
  { name, lacking, found, attempt }: SourceState,
  part: string,
  { isNeeded, isTried }: { readonly isNeeded: boolean; readonly isTried: boolean },
): Promise<Finding> {
  const told = (text: string) => (name === 'default' ? text : `${text} (${name})`)
  if (lacking !== null) {
    if (!isNeeded) return ok(part, `not needed, and ${told(lacking.message)}`)
    const fix = `Give the gateway a credential: ${lacking.fix}.`
    return warn(part, told(lacking.message), fix)
  }
  try {
    const words = await attempt(AbortSignal.timeout(REACH_TIMEOUT_MS))
    const untried = isTried || words.length > 0 ? [] : ['doctor does not try it out']
    return ok(part, [told(found), ...words, ...untried].join('; '))
  } catch (error) {
    const fix = 'Mend this source, or name another one under credentials in upstream.yaml.'
    return warn(part, told(messageOf(error).replace(/\.$/, '')), fix)
  }
}

/** Asks a service for an answer, or looks for a program. */
async function checkRoute(
  part: string,
  connection: Connection,
  calls: readonly CardRoute[],
): Promise<readonly Finding[]> {
  const { target } = connection
  const reached = await connection.reach?.(AbortSignal.timeout(REACH_TIMEOUT_MS))
  if (!reached) return await checkProgram(part, target, calls)
  if (reached.ok) return [ok(part, `${target} answers (${reached.status})`)]
  const code = reached.code === null ? '' : ` (${reached.code})`
  const fix =
    'Check the address, ca and proxy in its upstream.yaml, and the network of this machine.'
  return [warn(part, `${target} cannot be reached: ${reached.message}${code}`, fix)]
}

/** Cards may need different versions of a program. Reports each missing version once. */
async function checkProgram(
  part: string,
  target: string,
  calls: readonly CardRoute[],
): Promise<readonly Finding[]> {
  const answers = await Promise.all(calls.map(async ({ call }) => await call.unavailable()))
  const missing = new Map(answers.flatMap(answer => (answer ? [[answer.message, answer]] : [])))
  if (missing.size === 0) return [ok(part, `${target} is installed, and new enough`)]
  return [...missing.values()].map(({ message, fix }) => warn(part, message, fix))
}
