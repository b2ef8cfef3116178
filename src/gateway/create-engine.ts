import type { Logger } from 'pino'
import { checkCredentials } from '../access/check-rights.ts'
import { WatchedApprovals } from '../access/watched-approvals.ts'
import { openCapabilities } from '../cards/capabilities.ts'
import { packDirectories, SHIPPED_DIRECTORIES } from '../cards/packs.ts'
import { createReload, type ReloadCards } from '../cards/reload.ts'
import { type Approvals, type AttemptPolicy, createState, type Engine } from '../engine/engine.ts'
import type { Tracing } from '../engine/spans.ts'
import { SpillFiles } from '../journal/spill-files.ts'
import { ByteBudget } from '../lib/byte-budget.ts'
import { systemClock } from '../lib/clock.ts'
import { createIdFactory } from '../lib/request-id.ts'
import { GATEWAY, type NoteDecision } from '../model/audit.ts'
import type { Environment } from '../model/environment.ts'
import { SettingsError } from '../model/settings-error.ts'
import { logCalls } from '../observe/call-log.ts'
import type { ApprovalStore } from '../state/approvals.ts'
import type { AuditStore } from '../state/audit.ts'
import { KeyClaims } from '../state/key-claims.ts'
import { createAdapters } from './adapters.ts'
import { announceApprovals } from './approval-webhook.ts'
import type { Settings } from './config.ts'
import { usualHeldBytes } from './held-bytes.ts'
import { spillOf } from './journal-place.ts'
import { describeLosses, lossesOf } from './losses.ts'
import { openApprovals } from './open-approvals.ts'
import { type OpenAudit, openAudit } from './open-audit.ts'
import { openDurableState } from './open-journal.ts'
import { outagesOf } from './outages.ts'
import { shareState } from './share-state.ts'
import type { WorkerLink } from './workers/link.ts'

export interface EngineOptions {
  readonly settings: Settings
  readonly env: Environment
  readonly logger: Pick<Logger, 'error' | 'warn' | 'info'>
  /** Secrets of the gateway's own callers, to be kept out of the journal. @default those in the settings */
  readonly secrets?: () => readonly string[]
  /** Read again with each reload of the cards. @default the settings */
  readonly current?: () => CardSettings
  /** @default none */
  readonly tracing?: Tracing | null
  /** Another journal whose approvals count. @default the one of the settings */
  readonly approvals?: string | undefined
  /** The link of one of several workers to its primary process. @default null: the gateway is one process */
  readonly link?: WorkerLink | null
}

/** The settings that have to fit the cards. */
export type CardSettings = Pick<Settings, 'credentials' | 'keys' | 'oidc'>

/** An engine with everything that runs beside its calls. */
export interface RunningEngine extends Engine, AsyncDisposable {
  readonly reload: ReloadCards
  /** Breaks off all requests to services, so that the calls that wait for them end. */
  readonly cut: () => void
  readonly audit: OpenAudit
  /** Approvals that could not be given back yet. */
  readonly unreturned: () => number
}

/** The longest deadline that a caller may ask for, unless the default deadline is longer. */
const MAX_TIMEOUT_MS = 600_000

/**
 * Assembles the engine: cards with their connections, the journal, the state, the policy.
 * @throws {CardsError} for an error in a card or upstream.
 * @throws {SettingsError} for a webhook without a secret.
 */
export async function createEngine({
  settings,
  env,
  logger,
  secrets = () => settings.keys.flatMap(({ secret }) => secret ?? []),
  current = () => settings,
  tracing = null,
  approvals: elsewhere,
  link = null,
}: EngineOptions): Promise<RunningEngine> {
  const policy = policyOf(settings)
  const capabilities = await readCards(settings, { env, policy, current, workers: link?.of ?? 1 })
  const { close, ...state } = await openState(settings, { secrets, logger, elsewhere, link })
  return {
    catalog: capabilities.catalog,
    hints: capabilities.hints,
    upstreams: capabilities.upstreams,
    reload: createReload({
      capabilities,
      directories: settings.capabilities,
      logger,
      note: noteOf(state.decisions, link),
    }),
    ...state,
    clock: systemClock,
    policy,
    answers: new ByteBudget(settings.max_held_bytes || usualHeldBytes()),
    random: Math.random,
    createRequestId: createIdFactory(),
    observers: new Set([logCalls(logger), state.audit.onRecord]),
    tracing,
    onBug: (error, requestId) =>
      logger.error({ err: error, request_id: requestId }, 'the gateway failed'),
    ...cutOf(capabilities),
    [Symbol.asyncDispose]: async () => {
      await capabilities[Symbol.asyncDispose]()
      await close()
    },
  }
}

/** Breaks off the requests to services, and tells whether that has happened. */
function cutOf(capabilities: { cut(): void }): Pick<RunningEngine, 'cut' | 'isCutOff'> {
  let isCutOff = false
  return {
    isCutOff: () => isCutOff,
    cut() {
      isCutOff = true
      capabilities.cut()
    },
  }
}

/** All workers read the same files: what they find out by themselves is noted once. */
function noteOf({ note }: Engine['decisions'], link: WorkerLink | null): NoteDecision {
  if (link === null || link.slot === 1) return note
  return decision => {
    if (decision.actor !== GATEWAY) note(decision)
  }
}

interface CardOptions {
  readonly env: Environment
  readonly policy: AttemptPolicy
  readonly current: () => CardSettings
  readonly workers: number
}

function readCards(settings: Settings, { env, policy, current, workers }: CardOptions) {
  return openCapabilities({
    directories: [...packDirectories(settings.packs), ...settings.capabilities],
    // The tests run `signalbox check` on these.
    proven: SHIPPED_DIRECTORIES,
    adapters: createAdapters(workers),
    env,
    now: systemClock.now,
    configured: () => current().credentials,
    workers,
    check: loaded => checkCredentials(current(), loaded),
    longestRequestMs: policy.maxTimeoutMs,
  })
}

function policyOf(settings: Settings): AttemptPolicy {
  return {
    timeoutMs: settings.timeout_ms,
    maxTimeoutMs: Math.max(settings.timeout_ms, MAX_TIMEOUT_MS),
    attemptTimeoutMs: settings.attempt_timeout_ms,
    reserveMs: 20,
    retries: settings.retries,
  }
}

/** The parts of the engine that ask people, and that record what is decided. */
function openDecisions(
  settings: Settings,
  stores: { readonly audit: AuditStore; readonly approvals: ApprovalStore },
  { logger, secrets, elsewhere, link }: StateOptions,
) {
  const place = { ...settings, journal: elsewhere ?? settings.journal }
  const [auditSpill, spill] = [spillOf('audit', place), spillOf('approvals', place)]
  const outages = outagesOf(logger, link)
  const audit = openAudit(stores, settings, { logger, outages, secrets, spill: auditSpill })
  const watched = new WatchedApprovals({
    store: stores.approvals,
    onChange: () => audit.audit.soon(),
    outage: outages('approvals'),
    spill: spill === null ? null : new SpillFiles(spill),
  })
  const asking = { ...askPeople(settings, watched, logger), secrets }
  const close = async () => {
    await watched.close()
    await audit.close()
  }
  const unreturned = () => watched.unreturned
  return { parts: { approvals: asking, audit, decisions: audit.decisions, unreturned }, close }
}

function askPeople(
  { approval_ms, public_url, approval_webhook: url, approval_webhook_secret: secret }: Settings,
  store: ApprovalStore,
  logger: EngineOptions['logger'],
): Omit<Approvals, 'secrets'> {
  const origin = public_url.replace(/\/$/, '')
  const page = (id: string) => `${origin}/inspector/approvals/${id}`
  if (url !== '' && secret === '') {
    throw new SettingsError(
      'approval_webhook needs approval_webhook_secret, by which its receiver knows the gateway: openssl rand -base64 32 makes one.',
    )
  }
  const announced = url === '' ? store : announceApprovals(store, { url, secret, page, logger })
  return { store: announced, lastMs: approval_ms, page }
}

interface StateOptions extends Pick<EngineOptions, 'logger'> {
  readonly secrets: () => readonly string[]
  /** The journal with the approvals, if it is another one. */
  readonly elsewhere: string | undefined
  readonly link: WorkerLink | null
}

async function openState(settings: Settings, { secrets, logger, elsewhere, link }: StateOptions) {
  const { journal, idempotency, approvals, audit } = await openDurableState(
    settings,
    secrets,
    logger,
    link,
  )
  const closeDurable = async () => {
    // A database that hangs delays each of them.
    await Promise.all([idempotency.close(), journal.close()])
  }
  const state = await shareState(
    createState(
      new KeyClaims(idempotency, outagesOf(logger, link)('keys')),
      systemClock.now(),
      settings.kept_answers_max_bytes,
      1 / (link?.of ?? 1),
    ),
    settings,
    logger,
    link,
  ).catch(async error => {
    await closeDurable()
    throw error
  })
  const shared = elsewhere === undefined ? null : await openApprovals({ journal: elsewhere })
  const stores = { approvals: shared?.store ?? approvals, audit: shared?.audit ?? audit }
  const decisions = openDecisions(settings, stores, { logger, secrets, elsewhere, link })
  const close = async () => {
    await decisions.close()
    state.idempotency[Symbol.dispose]()
    await shared?.[Symbol.asyncDispose]()
    await state.shared?.close()
    await closeDurable()
    const losses = lossesOf({ journal, ...decisions.parts })
    for (const loss of describeLosses(losses)) logger.error(loss)
  }
  return { journal, state, ...decisions.parts, close }
}
