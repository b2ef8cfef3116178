import { counted } from '../lib/text.ts'
import type { SharedHealth } from '../model/health.ts'
import type { UpstreamStatus } from '../observe/upstream-status.ts'
import type { GatewayStatus } from './gateway-status.ts'
import { toTable } from './output.ts'

/** Lays out the state of a gateway on one screen. */
export function toScreen(found: GatewayStatus, now: number): string {
  const blocks = [
    headOf(found),
    ...(found.upstreams === null
      ? [HIDDEN]
      : [
          routesOf(found.upstreams),
          quotasOf(found.upstreams),
          credentialsOf(found.upstreams, now),
        ]),
    failuresOf(found),
  ]
  return blocks.filter(block => block !== '').join('\n\n')
}

const HIDDEN = 'The key may not see upstreams.'

function headOf(found: GatewayStatus): string {
  const { url, status, version, uptime_ms, calls_in_flight, journal, approvals_waiting } = found
  const facts = [
    url,
    ...(version === null ? [] : [`version ${version}`]),
    ...(uptime_ms === null ? [] : [`up ${spanOf(uptime_ms)}`]),
    ...(calls_in_flight === null ? [] : [`${counted(calls_in_flight, 'call')} in flight`]),
  ]
  const backlog =
    journal === null
      ? '-'
      : `${healthOf(journal)}, ${counted(journal.waiting, 'record')} waiting, ${journal.dropped} lost`
  return rows([
    [status, facts.join(', ')],
    ['journal', backlog],
    ['keys', found.keys === null ? '-' : healthOf(found.keys)],
    ['state', found.state === null ? 'not shared' : healthOf(found.state)],
    ['approvals', approvals_waiting === null ? hiddenBy(journal) : `${approvals_waiting} waiting`],
  ])
}

/** Why the approvals are not shown: a database that is away hides them from everybody. */
function hiddenBy(journal: GatewayStatus['journal']): string {
  return journal?.ok === true ? 'for operators' : 'unknown'
}

function healthOf({ ok, message }: SharedHealth): string {
  return ok ? 'ok' : `in trouble: ${message}`
}

function routesOf(upstreams: readonly UpstreamStatus[]): string {
  const lines = upstreams.flatMap(({ id, routes }) =>
    routes.map(({ route, unavailable, breaker, bulkhead }) => [
      id,
      route,
      unavailable === null ? breaker.state : unavailable.reason,
      breaker.retry_after_ms === null ? '-' : spanOf(breaker.retry_after_ms),
      bulkhead === null ? '-' : `${bulkhead.running} of ${bulkhead.max_running}`,
      bulkhead === null ? '-' : String(bulkhead.waiting),
    ]),
  )
  return tableOf(['upstream', 'route', 'circuit', 'next try', 'running', 'waiting'], lines)
}

/** Quotas that an answer has reported. */
function quotasOf(upstreams: readonly UpstreamStatus[]): string {
  const lines = upstreams
    .flatMap(({ pools }) => pools)
    .filter(({ remaining }) => remaining !== null)
    .map(({ pool, credential, remaining, limit, reset_in_ms }) => [
      pool,
      credential ?? '-',
      limit === null ? String(remaining) : `${remaining} of ${limit}`,
      reset_in_ms === null ? '-' : spanOf(reset_in_ms),
    ])
  return tableOf(['quota', 'credential', 'left', 'full again in'], lines)
}

function credentialsOf(upstreams: readonly UpstreamStatus[], now: number): string {
  const lines = upstreams
    .flatMap(({ credentials }) => credentials)
    .map(({ credential, status, expires_at, message }) => [
      credential,
      status,
      expires_at === null ? '-' : untilOf(expires_at, now),
      message ?? '',
    ])
  return tableOf(['credential', 'status', 'valid until', ''], lines)
}

function untilOf(expires: string, now: number): string {
  const left = Date.parse(expires) - now
  return left <= 0 ? `${expires}, ended` : `${expires}, ${spanOf(left)}`
}

function failuresOf({ failures }: GatewayStatus): string {
  if (failures === null || failures.length === 0) return ''
  const lines = failures.map(({ time, request_id, capability_id, code, caller }) => [
    time,
    request_id,
    capability_id ?? '-',
    code ?? '-',
    caller,
  ])
  return tableOf(['last failures', 'request_id', 'capability', 'code', 'caller'], lines)
}

function tableOf(head: readonly string[], lines: readonly (readonly string[])[]): string {
  return lines.length === 0 ? '' : rows([head, ...lines])
}

/** Messages come from services, which must not control the terminal. */
function rows(lines: readonly (readonly string[])[]): string {
  return toTable(lines.map(line => line.map(cell => cell.replace(/\p{Cc}+/gu, ' '))))
}

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const

/** A time in its two largest units, such as `3 h 12 min`. */
function spanOf(ms: number): string {
  const first = UNITS.findIndex(([, unit]) => ms >= unit)
  if (first === -1) return `${Math.round(ms)} ms`
  let left = ms
  const parts = UNITS.slice(first, first + 2).flatMap(([name, unit]) => {
    const count = Math.floor(left / unit)
    left -= count * unit
    return count === 0 ? [] : [`${count} ${name}`]
  })
  return parts.join(' ')
}
